package io.flinkgpu.backend.cuda.dense;

import io.flinkgpu.api.dense.DenseActivation;
import io.flinkgpu.api.dense.DenseLayer;
import io.flinkgpu.api.dense.DensePlan;
import io.flinkgpu.api.dense.DenseSlots;
import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.cuda.dense.DenseArgs.Operand;
import io.flinkgpu.backend.cuda.device.DeviceLayout;
import io.flinkgpu.backend.cuda.device.LaunchConfig;

import org.apache.flink.annotation.Internal;

import java.util.List;

/**
 * Enqueues the layers of a plan, one launch each; values between layers are in a work area, whose buffers are
 * used again. One batch at a time.
 */
@Internal
public final class DenseRun {

    /** The bytes of host memory that launches need for their parameters. */
    public static final int ARGS_BYTES = 64;

    private final DensePlan plan;
    private final DenseSlots slots;
    private final DenseWeights weights;

    private DenseQueue queue;
    private DenseArgs args;
    private int rows;
    private Places places;

    /**
     * Where a batch's numbers are, row after row without gaps: some of each row, then others.
     *
     * @param firstWidth how many of each row are at {@code first}
     * @param secondWidth how many more there are at {@code second}; may be none
     */
    public record Source(long first, int firstWidth, long second, int secondWidth) {}

    /**
     * Where a batch is computed, in device memory aligned to 256 bytes.
     *
     * @param weights the {@link DenseWeights}
     * @param input of {@link #inputBytes}
     * @param work of {@link #workBytes}
     * @param output gets the rows of the output, without gaps
     */
    public record Places(long weights, long input, long work, long output) {}

    public DenseRun(DensePlan plan, DenseWeights weights) {
        this.plan = plan;
        this.weights = weights;
        slots = new DenseSlots(plan);
    }

    /** The bytes of the work area for so many rows. */
    public long workBytes(int forRows) {
        return slotStart(slots.count(), forRows);
    }

    /** The bytes of an input of so many rows, whose stride is {@link DenseWeights#stride}. */
    public long inputBytes(int forRows) {
        return DeviceLayout.align(
                (long) Float.BYTES * forRows * DenseWeights.stride(plan.inputWidth()));
    }

    /**
     * Enqueues all layers.
     *
     * @param argsAddress host memory of {@link #ARGS_BYTES}
     * @param batchRows at least 1
     */
    public void enqueue(
            DenseQueue launches, long argsAddress, int batchRows, Source source, Places in)
            throws BackendException {
        queue = launches;
        args = new DenseArgs(argsAddress);
        rows = batchRows;
        places = in;
        copyIn(source.first(), source.firstWidth(), 0);
        copyIn(source.second(), source.secondWidth(), source.firstWidth());
        List<DenseLayer> layers = plan.layers();
        for (int i = 0; i < layers.size(); i++) {
            launch(layers.get(i), i);
        }
    }

    private void copyIn(long from, int width, int column) throws BackendException {
        if (width > 0) {
            Operand to = shifted(operand(0), column);
            copy(new Operand(from, width, 1), to, width, DenseActivation.NONE);
        }
    }

    private void launch(DenseLayer layer, int index) throws BackendException {
        Operand to = operand(index + 1);
        int width = plan.width(index + 1);
        if (layer instanceof DenseLayer.Linear linear) {
            linear(linear, index, to, width);
        } else if (layer instanceof DenseLayer.Cross cross) {
            args.cross(
                    operand(cross.first()),
                    operand(cross.input()),
                    places.weights() + weights.weights(index),
                    weights.bias(index, places.weights()),
                    to,
                    rows,
                    width);
            launch(DenseKernel.CROSS, rows, DenseAbi.DENSE_WARP_ROWS);
        } else if (layer instanceof DenseLayer.Combine combine) {
            each(
                    combine.multiplies() ? DenseAbi.EACH_MULTIPLY : DenseAbi.EACH_ADD,
                    operand(combine.left()),
                    operand(combine.right()),
                    to,
                    width,
                    DenseActivation.NONE);
        } else if (layer instanceof DenseLayer.Activate activate) {
            copy(operand(activate.input()), to, width, activate.activation());
        } else if (layer instanceof DenseLayer.Slice slice) {
            Operand from = operand(slice.input());
            copy(shifted(from, slice.from()), to, width, DenseActivation.NONE);
        } else if (layer instanceof DenseLayer.Concat concat) {
            int at = 0;
            for (int part : concat.inputs()) {
                copy(operand(part), shifted(to, at), plan.width(part), DenseActivation.NONE);
                at += plan.width(part);
            }
        }
    }

    private void linear(DenseLayer.Linear layer, int index, Operand to, int width)
            throws BackendException {
        args.linear(
                operand(layer.input()),
                places.weights() + weights.weights(index),
                DenseWeights.stride(width),
                weights.bias(index, places.weights()),
                to,
                rows,
                layer.weights().rows(),
                width,
                layer.activation());
        if (width == 1) {
            launch(DenseKernel.DOT, rows, DenseAbi.DENSE_WARP_ROWS);
        } else {
            long down = (rows + DenseAbi.DENSE_TILE - 1L) / DenseAbi.DENSE_TILE;
            long across = (width + DenseAbi.DENSE_TILE - 1L) / DenseAbi.DENSE_TILE;
            launch(DenseKernel.LINEAR, down * across, 1);
        }
    }

    private void copy(Operand from, Operand to, int width, DenseActivation activation)
            throws BackendException {
        each(DenseAbi.EACH_COPY, from, null, to, width, activation);
    }

    private void each(
            int operation,
            Operand left,
            Operand right,
            Operand to,
            int width,
            DenseActivation activation)
            throws BackendException {
        args.each(operation, left, right, to, rows, width, activation);
        launch(DenseKernel.EACH, (long) rows * width, DenseAbi.DENSE_ELEMENTS);
    }

    private void launch(DenseKernel kernel, long items, long itemsPerBlock)
            throws BackendException {
        queue.launch(
                kernel,
                LaunchConfig.of(items, itemsPerBlock, DenseAbi.DENSE_THREADS),
                args.address());
    }

    private static Operand shifted(Operand operand, int columns) {
        return new Operand(
                operand.address() + (long) Float.BYTES * columns, operand.stride(), operand.step());
    }

    private Operand operand(int value) {
        int width = plan.width(value);
        int slot = slots.of(value);
        int step = width == 1 ? 0 : 1;
        if (slot == DenseSlots.NONE) {
            return new Operand(places.weights() + weights.weights(value - 1), 0, step);
        } else if (slot == 0) {
            return new Operand(places.input(), DenseWeights.stride(width), step);
        } else if (value == plan.layers().size()) {
            return new Operand(places.output(), width, step);
        }
        return new Operand(places.work() + slotStart(slot, rows), DenseWeights.stride(width), step);
    }

    /** Where a slot begins in the work area: the input and the output are not there. */
    private long slotStart(int slot, int forRows) {
        long start = 0;
        for (int before = 1; before < slot; before++) {
            start +=
                    before == slots.of(plan.layers().size())
                            ? 0
                            : DeviceLayout.align(
                                    (long) Float.BYTES
                                            * forRows
                                            * DenseWeights.stride(slots.width(before)));
        }
        return start;
    }
}
