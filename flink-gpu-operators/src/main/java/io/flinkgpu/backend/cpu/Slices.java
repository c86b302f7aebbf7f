package io.flinkgpu.backend.cpu;

/** A text for each row of a block: where it is off the heap. */
final class Slices {

    /** The length of a null. */
    static final int NULL = -1;

    final long[] starts;
    final int[] lengths;

    Slices(int rows) {
        starts = new long[rows];
        lengths = new int[rows];
    }

    void put(int row, long start, int length) {
        starts[row] = start;
        lengths[row] = length;
    }

    void putNull(int row) {
        lengths[row] = NULL;
    }
}
