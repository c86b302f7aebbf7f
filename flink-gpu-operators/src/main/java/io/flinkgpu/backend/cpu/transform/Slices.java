package io.flinkgpu.backend.cpu.transform;

import io.flinkgpu.backend.cpu.bytes.Bytes;

import java.util.Arrays;

/** A text for each row of a block: where it is off the heap. */
final class Slices {

    /** The length of a null. */
    static final int NULL = -1;

    final long[] starts;
    final int[] lengths;

    private final long nullAddress;

    /**
     * @param nullAddress where nulls are: reading {@link Bytes#SLACK} bytes there does no harm
     */
    Slices(int rows, long nullAddress) {
        starts = new long[rows];
        lengths = new int[rows];
        this.nullAddress = nullAddress;
        fill(nullAddress, NULL);
    }

    /** Puts the same text into all rows. */
    void fill(long start, int length) {
        Arrays.fill(starts, start);
        Arrays.fill(lengths, length);
    }

    void put(int row, long start, int length) {
        starts[row] = start;
        lengths[row] = length;
    }

    void putNull(int row) {
        put(row, nullAddress, NULL);
    }
}
