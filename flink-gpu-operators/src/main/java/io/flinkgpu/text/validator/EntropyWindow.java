package io.flinkgpu.text.validator;

import org.apache.flink.annotation.Internal;

/**
 * {@link Entropy} of texts of one row that begin ever further to the right: of one that overlaps the last
 * one only the bytes in which they differ are counted. So judging a text again from each of its bytes, as a
 * refused match is, costs a few counts a byte rather than 256. Not thread-safe.
 */
@Internal
public final class EntropyWindow {

    private static final int MASK = Entropy.MAX_BYTES - 1;

    private final short[] counts = new short[256];

    /** The bytes that are counted, each at its place in the row, modulo the size. */
    private final byte[] bytes = new byte[Entropy.MAX_BYTES];

    /** The sum of the table's entries for all counts. */
    private long sum;

    private int start;
    private int end;

    /** Forgets the row. */
    public void clear() {
        removeFirst(end);
        start = 0;
        end = 0;
    }

    /**
     * Whether a text has at least the entropy.
     *
     * @param text where its bytes, or the first {@link Entropy#MAX_BYTES} of them, stand from an index on
     * @param from that index
     * @param length the text's length in bytes
     * @param startInRow where it starts in the row; never before the start of the last text since {@link
     *     #clear}
     */
    public boolean accepts(byte[] text, int from, int length, int startInRow, int minMilliBits) {
        int counted = Math.min(length, Entropy.MAX_BYTES);
        int newEnd = startInRow + counted;
        removeFirst(startInRow);
        while (end > newEnd) {
            remove(--end);
        }
        for (int at = end; at < newEnd; at++) {
            byte value = text[from + at - startInRow];
            bytes[at & MASK] = value;
            int count = counts[value & 0xff]++;
            sum += Entropy.term(count + 1) - Entropy.term(count);
        }
        end = newEnd;
        return Entropy.isAtLeast(counted, sum, minMilliBits);
    }

    private void removeFirst(int newStart) {
        int to = Math.min(newStart, end);
        while (start < to) {
            remove(start++);
        }
        if (start < newStart) {
            start = newStart;
            end = newStart;
        }
    }

    private void remove(int at) {
        int count = --counts[bytes[at & MASK] & 0xff];
        sum -= Entropy.term(count + 1) - Entropy.term(count);
    }
}
