package io.flinkgpu.backend.cuda.dense;

import io.flinkgpu.api.dense.DenseLayer;
import io.flinkgpu.api.dense.DensePlan;
import io.flinkgpu.api.dense.DenseSlots;
import io.flinkgpu.backend.cuda.dense.DenseArgs.Operand;
import io.flinkgpu.backend.cuda.device.DeviceLayout;

/**
 * Where the values of a network are in device memory, for a batch at a time: in the input, the output, or a work
 * area of buffers that are used again. A value that layers on tensor cores read is there as rounded numbers, too, or
 * only so.
 */
final class DenseBuffers {

    private final DensePlan plan;
    private final DenseWeights weights;
    private final DenseSlots slots;
    private final int output;

    /** Of each value, how many layers read it, and how many of them read it rounded. */
    private final int[] readers;

    private final int[] fastReaders;

    /** The widest rounded value of each slot; 0 where there is none. */
    private final int[] roundedWidths;

    private int rows;
    private DenseRun.Places places;

    DenseBuffers(DenseWeights weights) {
        this.weights = weights;
        plan = weights.plan();
        output = plan.layers().size();
        readers = new int[output + 1];
        fastReaders = new int[output + 1];
        for (DenseLayer layer : plan.layers()) {
            for (int input : layer.inputs()) {
                readers[input]++;
                fastReaders[input] += weights.isFast(layer) ? 1 : 0;
            }
        }
        slots = new DenseSlots(plan, value -> fastReaders[value] == 0);
        roundedWidths = new int[slots.count()];
        for (int value = 0; value <= output; value++) {
            if (fastReaders[value] > 0) {
                int slot = slots.of(value);
                roundedWidths[slot] = Math.max(roundedWidths[slot], plan.width(value));
            }
        }
    }

    /** The bytes of the work area for so many rows. */
    long workBytes(int forRows) {
        return roundedStart(slots.count(), forRows);
    }

    /** From here on the others are about this batch. */
    void batch(int batchRows, DenseRun.Places in) {
        rows = batchRows;
        places = in;
    }

    /** Whether several layers read a value. */
    boolean isShared(int value) {
        return readers[value] > 1;
    }

    /** Whether a layer reads a value rounded. */
    boolean isRounded(int value) {
        return fastReaders[value] > 0;
    }

    /** Whether a value has to be there in single precision. */
    boolean isWhole(int value) {
        return value == output || fastReaders[value] < readers[value];
    }

    /** The numbers of a value, or of a constant. */
    Operand of(int value) {
        int owner = slots.owner(value);
        int step = plan.width(value) == 1 ? 0 : 1;
        int slot = slots.of(value);
        if (slot == DenseSlots.NONE) {
            return new Operand(places.weights() + weights.weights(value - 1), 0, step);
        }
        long start = (long) Float.BYTES * slots.column(value);
        int width = plan.width(owner);
        if (owner == output) {
            return new Operand(places.output() + start, width, step);
        }
        long slotStart = slot == 0 ? places.input() : places.work() + start(slot, rows);
        return new Operand(slotStart + start, DenseWeights.stride(width), step);
    }

    /** A value's numbers rounded; {@link Operand#NONE} if nobody reads them. */
    Operand rounded(int value) {
        return isRounded(value)
                ? new Operand(
                        places.work() + roundedStart(slots.of(value), rows),
                        DenseWeights.roundedStride(plan.width(value)),
                        1)
                : Operand.NONE;
    }

    /** Where a slot begins in the work area: the input and the output are not there. */
    private long start(int slot, int forRows) {
        long start = 0;
        for (int before = 1; before < slot; before++) {
            if (before != slots.of(output)) {
                start += bytes(Float.BYTES, DenseWeights.stride(slots.width(before)), forRows);
            }
        }
        return start;
    }

    /** Where the rounded numbers of a slot begin, after all slots. */
    private long roundedStart(int slot, int forRows) {
        long start = start(slots.count(), forRows);
        for (int before = 0; before < slot; before++) {
            int stride = DenseWeights.roundedStride(roundedWidths[before]);
            start += bytes(Short.BYTES, stride, forRows);
        }
        return start;
    }

    private static long bytes(int each, int stride, int forRows) {
        return DeviceLayout.align((long) each * stride * forRows);
    }
}
