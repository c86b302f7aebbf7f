package io.flinkgpu.text.automaton;

import io.flinkgpu.text.regex.CodePointSet;

import org.apache.flink.annotation.Internal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Bytes that are part of no well-formed UTF-8 sequence (Unicode 16, table 3-7), each of which counts as one
 * unknown character: as U+FFFD for the rules.
 *
 * <p>Automata of rules read {@link #MARK} wherever they read U+FFFD. What they scan is a row in which each such
 * byte is replaced by the mark, so that offsets are those of the row as it came. A row of well-formed text holds no
 * mark and is scanned as it is.
 */
@Internal
public final class UnknownBytes {

    /** Stands for any such byte, and is one. */
    public static final byte MARK = (byte) 0xff;

    private static final int UNKNOWN = 0xfffd;
    private static final long NOT_ASCII = 0x8080808080808080L;
    private static final VarHandle LONGS =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private UnknownBytes() {}

    /** The byte sequences of a set, as {@link Utf8Ranges#of} has them, and the mark if it holds U+FFFD. */
    static int[][] sequences(CodePointSet set) {
        int[][] wellFormed = Utf8Ranges.of(set);
        if (!set.contains(UNKNOWN)) {
            return wellFormed;
        }
        int[][] all = Arrays.copyOf(wellFormed, wellFormed.length + 1);
        all[wellFormed.length] = new int[] {MARK & 0xff, MARK & 0xff};
        return all;
    }

    /** A row to scan: itself if it is well-formed, else a copy of it with marks. */
    public static byte[] marked(byte[] row, int length) {
        int bad = firstIn(row, length);
        if (bad == length) {
            return row;
        }
        byte[] copy = Arrays.copyOf(row, length);
        for (int at = bad; at < length; ) {
            int sequence = lengthAt(row, at, length);
            if (sequence == 0) {
                copy[at] = MARK;
            }
            at += Math.max(1, sequence);
        }
        return copy;
    }

    /** Where the first of them is among the first bytes of an array; their number if there is none. */
    public static int firstIn(byte[] row, int length) {
        int at = 0;
        while (at < length) {
            if (at + Long.BYTES <= length && ((long) LONGS.get(row, at) & NOT_ASCII) == 0) {
                at += Long.BYTES;
                continue;
            }
            int sequence = lengthAt(row, at, length);
            if (sequence == 0) {
                return at;
            }
            at += sequence;
        }
        return length;
    }

    /**
     * The length of the well-formed sequence that starts at an offset and ends before another one; 0 if
     * there is none.
     */
    public static int lengthAt(byte[] bytes, int at, int end) {
        if (bytes[at] >= 0) {
            return 1;
        }
        int four = 0;
        for (int i = 0; i < 4; i++) {
            four = four << 8 | (at + i < end ? bytes[at + i] & 0xff : 0);
        }
        return length(four);
    }

    /** The length of the sequence that four bytes start with, the first being the highest; 0 if none. */
    private static int length(int four) {
        int lead = four >>> 24;
        int second = four >>> 16 & 0xff;
        if (lead < 0xc2 || lead > 0xf4) {
            return 0;
        }
        if (lead < 0xe0) {
            return (second & 0xc0) == 0x80 ? 2 : 0;
        }
        if (lead < 0xf0) {
            int low = lead == 0xe0 ? 0xa0 : 0x80;
            int high = lead == 0xed ? 0x9f : 0xbf;
            return second >= low && second <= high && (four & 0xc000) == 0x8000 ? 3 : 0;
        }
        int low = lead == 0xf0 ? 0x90 : 0x80;
        int high = lead == 0xf4 ? 0x8f : 0xbf;
        return second >= low && second <= high && (four & 0xc0c0) == 0x8080 ? 4 : 0;
    }
}
