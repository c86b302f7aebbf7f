package io.flinkgpu.backend.cpu.search;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/** A byte each: what is best for ranks alone. */
final class ByteCounters extends RankCounters {

    /** What counters count to. */
    static final int MOST = 255;

    // Little-endian, so that the first byte is the lowest one of a long.
    private static final VarHandle LONGS =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private static final long EVERY_BYTE = 0x0101010101010101L;
    private static final long TOP_BITS = 0x80 * EVERY_BYTE;

    /** Brings the lowest bit of each byte into the top byte, that of the first byte lowest. */
    private static final long GATHERED = 0x0102040810204080L;

    private final byte[] counters;
    private int words;
    private int max;

    ByteCounters(int maxWords) {
        counters = new byte[maxWords * Long.SIZE];
    }

    @Override
    void start(int ofWords) {
        Arrays.fill(counters, 0, words * Long.SIZE, (byte) 0);
        words = ofWords;
        max = 0;
    }

    @Override
    void add(char[] ranks, int from, int to) {
        byte[] of = counters;
        for (int i = from; i < to; i++) {
            of[ranks[i]]++;
        }
        max = Math.min(max + 1, MOST);
    }

    @Override
    int max() {
        return max;
    }

    @Override
    int find(int word, int endWord, int least) {
        // Counters that are large enough have one of the bits from the highest one of the least on.
        long bits = (-Integer.highestOneBit(least) & 0xff) * EVERY_BYTE;
        for (int i = word; i < endWord; i++) {
            int at = i * Long.SIZE;
            long any =
                    eight(at)
                            | eight(at + 8)
                            | eight(at + 16)
                            | eight(at + 24)
                            | eight(at + 32)
                            | eight(at + 40)
                            | eight(at + 48)
                            | eight(at + 56);
            if ((any & bits) != 0) {
                return i;
            }
        }
        return endWord;
    }

    @Override
    long atLeast(int word, int least) {
        long wanted = least * EVERY_BYTE;
        long enough = 0;
        for (int i = 0; i < Long.SIZE; i += Long.BYTES) {
            long some = eight(word * Long.SIZE + i);
            // In the top bit of each byte: whether its lower bits are not less than the wanted
            // ones.
            long lower = (some | TOP_BITS) - (wanted & ~TOP_BITS);
            long marks = (some & ~wanted | ~(some ^ wanted) & lower) & TOP_BITS;
            enough |= ((marks >>> 7) * GATHERED >>> 56) << i;
        }
        return enough;
    }

    @Override
    int get(int rank) {
        return counters[rank] & 0xff;
    }

    private long eight(int at) {
        return (long) LONGS.get(counters, at);
    }
}
