package io.flinkgpu.operator.lines;

import java.util.Arrays;

/** Where the rows of a batch of lines come from. */
final class LineSegments {

    private String[] files = new String[1];
    private long[] offsets = new long[1];
    private int rows;

    /**
     * Adds a row.
     *
     * @param offsetBytes where its first byte is in the file
     */
    void add(String file, long offsetBytes) {
        if (rows == files.length) {
            files = Arrays.copyOf(files, 2 * rows);
            offsets = Arrays.copyOf(offsets, 2 * rows);
        }
        files[rows] = file;
        offsets[rows] = offsetBytes;
        rows++;
    }

    String file(int row) {
        return files[row];
    }

    /** Where a row starts in its file. */
    long offsetBytes(int row) {
        return offsets[row];
    }
}
