package io.flinkgpu.operator.lines;

/**
 * Where a chunk or range of a batch comes from; it is a row, or one for each line.
 *
 * @param offsetBytes where its first byte is in the file
 * @param endRow the row of the batch after its last
 * @param isTerminated whether its last line ends with {@code '\n'}, or shall
 * @param isRecord whether its lines are one record, and one row
 */
record LineSegment(
        String file, long offsetBytes, int endRow, boolean isTerminated, boolean isRecord) {}
