package io.flinkgpu.operator.lines;

import java.util.Arrays;

/** Where the chunks and ranges come from that a batch was made of; each is a row, or one for each line. */
final class LineSegments {

    private String[] files = new String[1];
    private long[] offsets = new long[1];
    private int[] endRows = new int[1];
    private boolean[] terminated = new boolean[1];
    private int size;

    /**
     * Adds a segment.
     *
     * @param offsetBytes where its first byte is in the file
     * @param endRow the row of the batch behind its last
     * @param isTerminated whether its last line ends with {@code '\n'}, or shall
     */
    void add(String file, long offsetBytes, int endRow, boolean isTerminated) {
        if (size == files.length) {
            files = Arrays.copyOf(files, 2 * size);
            offsets = Arrays.copyOf(offsets, 2 * size);
            endRows = Arrays.copyOf(endRows, 2 * size);
            terminated = Arrays.copyOf(terminated, 2 * size);
        }
        files[size] = file;
        offsets[size] = offsetBytes;
        endRows[size] = endRow;
        terminated[size] = isTerminated;
        size++;
    }

    int size() {
        return size;
    }

    String file(int segment) {
        return files[segment];
    }

    /** Where a segment starts in its file. */
    long offsetBytes(int segment) {
        return offsets[segment];
    }

    /** The row behind a segment's last. */
    int endRow(int segment) {
        return endRows[segment];
    }

    /** Whether a segment's last line ends with {@code '\n'}. */
    boolean isTerminated(int segment) {
        return terminated[segment];
    }
}
