package io.flinkgpu.groups;

import io.flinkgpu.cells.CellBytes;

import org.apache.flink.annotation.Internal;

/** What one group keeps of each value, to be read. What is not kept is that of no values. */
@Internal
public interface GroupSource {

    /** How many values there are; if 0, nothing else of the value means anything. */
    long count(int value);

    /** The least value, an integer or a {@link io.flinkgpu.exact.DoubleOrder} long. */
    long min(int value);

    /** The greatest, likewise. */
    long max(int value);

    /** Infinities and NaN, as {@link io.flinkgpu.exact.BinaryGrid} names them; of a floating value. */
    int specials(int value);

    /** The grid's bin that bin 0 is; of a floating value. */
    int firstBin(int value);

    /** How many bins there are; of a floating value. */
    int bins(int value);

    /** A bin of a floating sum, in the bin's unit: any number. */
    long bin(int value, int index);

    /** The lower 64 bits of an integer's sum. */
    long sumLow(int value);

    /** Its upper 64 bits. */
    long sumHigh(int value);

    /**
     * Refers to the bytes of a cell, by its number among those of all values; of a group of no rows there
     * are none. Valid until the next call.
     */
    void cell(int cell, CellBytes to);

    /** The bin of the {@link io.flinkgpu.exact.SquareGrid} that bin 0 of the squares is. */
    int firstSquareBin(int value);

    /** How many bins of squares there are; 0 if no squares are kept. */
    int squareBins(int value);

    /** A bin of the sum of squares, in the bin's unit: any number. */
    long squareBin(int value, int index);
}
