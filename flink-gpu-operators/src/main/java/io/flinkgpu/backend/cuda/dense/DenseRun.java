package io.flinkgpu.backend.cuda.dense;

import io.flinkgpu.api.dense.DenseActivation;
import io.flinkgpu.api.dense.DenseLayer;
import io.flinkgpu.api.dense.DenseLayer.Cross;
import io.flinkgpu.api.dense.DenseLayer.Linear;
import io.flinkgpu.api.dense.DensePlan;
import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.cuda.dense.DenseArgs.Operand;
import io.flinkgpu.backend.cuda.device.DeviceLayout;
import io.flinkgpu.backend.cuda.device.LaunchConfig;

import org.apache.flink.annotation.Internal;

import java.util.List;

/** Enqueues the layers of a plan, a launch each, or one for cross layers that follow each other. One batch at a time. */
@Internal
public final class DenseRun {

    /** The bytes of host memory that launches need for their parameters. */
    public static final int ARGS_BYTES = DenseAbi.DENSE_EACH_ARGS_BYTES;

    private final DensePlan plan;
    private final DenseWeights weights;
    private final DenseBuffers buffers;

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

    public DenseRun(DenseWeights weights) {
        this.weights = weights;
        plan = weights.plan();
        buffers = new DenseBuffers(weights);
    }

    /** The bytes of the work area for so many rows. */
    public long workBytes(int forRows) {
        return buffers.workBytes(forRows);
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
        buffers.batch(batchRows, in);
        copyIn(source.first(), source.firstWidth(), 0);
        copyIn(source.second(), source.secondWidth(), source.firstWidth());
        for (int i = 0; i < plan.layers().size(); ) {
            i += launch(plan.layers().get(i), i);
        }
    }

    private void copyIn(long from, int width, int column) throws BackendException {
        if (width > 0) {
            copy(new Operand(from, width, 1), 0, column, width, DenseActivation.NONE);
        }
    }

    /** Returns how many layers that were. */
    private int launch(DenseLayer layer, int index) throws BackendException {
        int value = index + 1;
        int width = plan.width(value);
        if (layer instanceof Linear linear) {
            linear(linear, index, width);
        } else if (layer instanceof Cross) {
            return cross(index, width);
        } else if (layer instanceof DenseLayer.Combine combine) {
            each(
                    combine.multiplies() ? DenseAbi.EACH_MULTIPLY : DenseAbi.EACH_ADD,
                    buffers.of(combine.left()),
                    buffers.of(combine.right()),
                    value,
                    0,
                    width,
                    DenseActivation.NONE);
        } else if (layer instanceof DenseLayer.Activate activate) {
            copy(buffers.of(activate.input()), value, 0, width, activate.activation());
        } else if (layer instanceof DenseLayer.Slice slice) {
            Operand from = shifted(buffers.of(slice.input()), Float.BYTES, slice.from());
            copy(from, value, 0, width, DenseActivation.NONE);
        } else if (layer instanceof DenseLayer.Concat concat) {
            concat(concat, value);
        }
        return 1;
    }

    /** Copies what is not there already. */
    private void concat(DenseLayer.Concat concat, int value) throws BackendException {
        int at = 0;
        for (int part : concat.inputs()) {
            Operand from = buffers.of(part);
            if (from.address() != shifted(buffers.of(value), Float.BYTES, at).address()) {
                copy(from, value, at, plan.width(part), DenseActivation.NONE);
            }
            at += plan.width(part);
        }
    }

    private void linear(Linear layer, int index, int width) throws BackendException {
        int inputs = layer.weights().rows();
        int value = index + 1;
        long weight = places.weights() + weights.weights(index);
        long bias = weights.bias(index, places.weights());
        if (weights.isFast(layer)) {
            args.fast(
                    buffers.rounded(layer.input()).address(),
                    weight,
                    bias,
                    buffers.isWhole(value) ? buffers.of(value) : null,
                    buffers.rounded(value).address());
            args.fastShape(rows, inputs, width, layer.activation());
            launch(
                    DenseKernel.FAST,
                    new LaunchConfig(
                            tiles(DenseAbi.DENSE_FAST_ROWS, width, DenseAbi.DENSE_FAST_OUTPUTS),
                            DenseAbi.DENSE_THREADS,
                            DenseAbi.DENSE_FAST_SHARED_BYTES));
            return;
        }
        args.linear(
                buffers.of(layer.input()),
                weight,
                DenseWeights.stride(width),
                bias,
                buffers.of(value),
                rows,
                inputs,
                width,
                layer.activation());
        if (width == 1) {
            launch(DenseKernel.DOT, byRows());
        } else {
            int tiles = tiles(DenseAbi.DENSE_TILE, width, DenseAbi.DENSE_TILE);
            launch(DenseKernel.LINEAR, new LaunchConfig(tiles, DenseAbi.DENSE_THREADS));
        }
        round(value, width);
    }

    private int tiles(int tileRows, int width, int tileOutputs) {
        long down = (rows + tileRows - 1L) / tileRows;
        return Math.toIntExact(down * ((width + tileOutputs - 1L) / tileOutputs));
    }

    private int cross(int index, int width) throws BackendException {
        Cross first = (Cross) plan.layers().get(index);
        int last = width <= DenseAbi.DENSE_MOST_CROSSED ? lastOfCrosses(index) : index;
        args.cross(
                buffers.of(first.first()),
                buffers.of(first.input()),
                places.weights() + weights.weights(index),
                weights.bias(index, places.weights()),
                buffers.of(last + 1),
                rows,
                width);
        long apart = last == index ? 0 : weights.weights(index + 1) - weights.weights(index);
        args.crosses(last - index + 1, (int) (apart / Float.BYTES));
        boolean isWide = width > DenseAbi.DENSE_MOST_CROSSED;
        launch(isWide ? DenseKernel.CROSS : DenseKernel.CROSSES, byRows());
        round(last + 1, width);
        return last - index + 1;
    }

    /** The last of the cross layers from one on, each of which alone reads what the one before gives. */
    private int lastOfCrosses(int index) {
        List<DenseLayer> layers = plan.layers();
        int last = index;
        int first = ((Cross) layers.get(index)).first();
        while (last + 1 < layers.size()
                && layers.get(last + 1) instanceof Cross next
                && next.input() == last + 1
                && next.first() == first
                && !buffers.isShared(last + 1)) {
            last++;
        }
        return last;
    }

    /** Rounds a value that is there in single precision. */
    private void round(int value, int width) throws BackendException {
        if (buffers.isRounded(value)) {
            args.each(
                    DenseAbi.EACH_COPY,
                    buffers.of(value),
                    null,
                    null,
                    buffers.rounded(value),
                    rows,
                    width,
                    DenseActivation.NONE);
            launch(DenseKernel.EACH, byRows());
        }
    }

    private void copy(Operand from, int value, int column, int width, DenseActivation activation)
            throws BackendException {
        each(DenseAbi.EACH_COPY, from, null, value, column, width, activation);
    }

    /** Writes to a value from one of its columns on. */
    private void each(
            int operation,
            Operand left,
            Operand right,
            int value,
            int column,
            int width,
            DenseActivation activation)
            throws BackendException {
        args.each(
                operation,
                left,
                right,
                buffers.isWhole(value) ? shifted(buffers.of(value), Float.BYTES, column) : null,
                buffers.isRounded(value)
                        ? shifted(buffers.rounded(value), Short.BYTES, column)
                        : Operand.NONE,
                rows,
                width,
                activation);
        launch(DenseKernel.EACH, byRows());
    }

    /** Blocks of rows that have a warp each. */
    private LaunchConfig byRows() {
        return LaunchConfig.of(rows, DenseAbi.DENSE_WARP_ROWS, DenseAbi.DENSE_THREADS);
    }

    private void launch(DenseKernel kernel, LaunchConfig shape) throws BackendException {
        queue.launch(kernel, shape, args.address());
    }

    private static Operand shifted(Operand operand, int bytes, int columns) {
        return new Operand(
                operand.address() + (long) bytes * columns, operand.stride(), operand.step());
    }
}
