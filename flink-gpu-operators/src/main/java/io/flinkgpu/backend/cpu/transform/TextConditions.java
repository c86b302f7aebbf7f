package io.flinkgpu.backend.cpu.transform;

import io.flinkgpu.backend.cpu.bytes.Bytes;
import io.flinkgpu.backend.cpu.bytes.CodePoints;

import org.apache.flink.annotation.Internal;

import org.apache.arrow.memory.util.MemoryUtil;

/** Instructions whose result is a condition or a number of a text, one loop each. */
@Internal
public final class TextConditions {

    private TextConditions() {}

    static void equal(Slices a, Slices b, byte[] to, int rows) {
        for (int row = 0; row < rows; row++) {
            int length = a.lengths[row];
            if ((length | b.lengths[row]) < 0) {
                to[row] = Conditions.NULL;
            } else {
                to[row] =
                        Conditions.of(
                                length == b.lengths[row]
                                        && Bytes.equal(a.starts[row], b.starts[row], length));
            }
        }
    }

    /** The same where {@link Bytes#SLACK} bytes may be read of each text: short ones take no branch. */
    static void equalLoosely(Slices a, Slices b, byte[] to, int rows) {
        for (int row = 0; row < rows; row++) {
            int length = a.lengths[row];
            int other = b.lengths[row];
            int head = Math.max(0, Math.min(length, Long.BYTES));
            // Shifted twice, for no single shift is by 64.
            long mask = (1L << 4 * head << 4 * head) - 1;
            long different =
                    (MemoryUtil.getLong(a.starts[row]) ^ MemoryUtil.getLong(b.starts[row])) & mask
                            | length ^ other;
            int equal = (int) ((different | -different) >>> 63) ^ 1;
            if (length > Long.BYTES && equal == Conditions.TRUE) {
                equal =
                        Conditions.of(
                                Bytes.equal(
                                        a.starts[row] + Long.BYTES,
                                        b.starts[row] + Long.BYTES,
                                        length - Long.BYTES));
            }
            int isNull = (length | other) >>> 31;
            to[row] = (byte) (equal & ~isNull | isNull * Conditions.NULL);
        }
    }

    static void contains(Slices a, Slices b, TextSearch search, byte[] to, int rows) {
        for (int row = 0; row < rows; row++) {
            int length = a.lengths[row];
            int what = b.lengths[row];
            to[row] =
                    (length | what) < 0
                            ? Conditions.NULL
                            : Conditions.of(
                                    search.find(a.starts[row], length, 0, b.starts[row], what)
                                            >= 0);
        }
    }

    static void startsWith(Slices a, Slices b, byte[] to, int rows) {
        for (int row = 0; row < rows; row++) {
            int length = a.lengths[row];
            int what = b.lengths[row];
            to[row] =
                    (length | what) < 0
                            ? Conditions.NULL
                            : Conditions.of(
                                    what <= length
                                            && Bytes.equal(a.starts[row], b.starts[row], what));
        }
    }

    static void endsWith(Slices a, Slices b, byte[] to, int rows) {
        for (int row = 0; row < rows; row++) {
            int length = a.lengths[row];
            int what = b.lengths[row];
            long end = a.starts[row] + length;
            to[row] =
                    (length | what) < 0
                            ? Conditions.NULL
                            : Conditions.of(
                                    what <= length && Bytes.equal(end - what, b.starts[row], what));
        }
    }

    static void isEmpty(Slices a, byte[] to, int rows) {
        for (int row = 0; row < rows; row++) {
            to[row] = a.lengths[row] < 0 ? Conditions.NULL : Conditions.of(a.lengths[row] == 0);
        }
    }

    static void isNull(Slices a, byte[] to, int rows) {
        for (int row = 0; row < rows; row++) {
            to[row] = Conditions.of(a.lengths[row] < 0);
        }
    }

    static void matches(Slices a, Automaton automaton, byte[] to, int rows) {
        for (int row = 0; row < rows; row++) {
            int length = a.lengths[row];
            to[row] =
                    length < 0
                            ? Conditions.NULL
                            : Conditions.of(automaton.matches(a.starts[row], length));
        }
    }

    static void length(Slices a, Numbers to, int rows) {
        for (int row = 0; row < rows; row++) {
            int length = a.lengths[row];
            to.nulls[row] = length < 0;
            to.words[row] = length < 0 ? 0 : CodePoints.count(a.starts[row], length);
        }
    }
}
