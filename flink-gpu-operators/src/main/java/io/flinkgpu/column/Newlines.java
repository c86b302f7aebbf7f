package io.flinkgpu.column;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Finds {@code '\n'} eight bytes at a time. */
final class Newlines {

    private static final VarHandle LONGS =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long NEWLINES = WordBytes.repeated('\n');

    private Newlines() {}

    static int count(byte[] bytes) {
        int count = 0;
        int i = 0;
        for (int end = wholeWords(bytes); i < end; i += Long.BYTES) {
            count += Long.bitCount(marks(word(bytes, i)));
        }
        for (; i < bytes.length; i++) {
            count += bytes[i] == '\n' ? 1 : 0;
        }
        return count;
    }

    /** The bits of a word's newline bytes: the top bit of each, and no other. */
    static long marks(long word) {
        return WordBytes.marks(word, NEWLINES);
    }

    /**
     * Where the last whole word ends. Loops that count up to a fixed end, and not while a sum is in
     * range, lose their bounds checks in the JIT, which makes them twice as fast.
     */
    static int wholeWords(byte[] bytes) {
        return bytes.length & -Long.BYTES;
    }

    /** The eight bytes at i. */
    static long word(byte[] bytes, int i) {
        return (long) LONGS.get(bytes, i);
    }
}
