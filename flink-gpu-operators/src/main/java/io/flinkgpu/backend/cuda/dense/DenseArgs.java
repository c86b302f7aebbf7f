package io.flinkgpu.backend.cuda.dense;

import io.flinkgpu.api.dense.DenseActivation;

import org.apache.arrow.memory.util.MemoryUtil;

/**
 * The parameter of a launch, in host memory.
 *
 * @param address of {@link DenseRun#ARGS_BYTES}
 */
record DenseArgs(long address) {

    /**
     * A matrix on the device.
     *
     * @param address of its first number
     * @param stride numbers from a row to the next; 0 if all are the same
     * @param step numbers from a column to the next; 0 if all are the same
     */
    record Operand(long address, int stride, int step) {

        static final Operand NONE = new Operand(0, 0, 0);
    }

    void linear(
            Operand input,
            long weights,
            int weightStride,
            long bias,
            Operand output,
            int rows,
            int inputs,
            int outputs,
            DenseActivation activation) {
        put(DenseAbi.DENSE_LINEAR_ARGS_INPUT, input.address());
        put(DenseAbi.DENSE_LINEAR_ARGS_WEIGHTS, weights);
        put(DenseAbi.DENSE_LINEAR_ARGS_BIAS, bias);
        put(DenseAbi.DENSE_LINEAR_ARGS_OUTPUT, output.address());
        put(DenseAbi.DENSE_LINEAR_ARGS_ROWS, rows);
        put(DenseAbi.DENSE_LINEAR_ARGS_INPUTS, inputs);
        put(DenseAbi.DENSE_LINEAR_ARGS_OUTPUTS, outputs);
        put(DenseAbi.DENSE_LINEAR_ARGS_INPUT_STRIDE, input.stride());
        put(DenseAbi.DENSE_LINEAR_ARGS_WEIGHT_STRIDE, weightStride);
        put(DenseAbi.DENSE_LINEAR_ARGS_OUTPUT_STRIDE, output.stride());
        put(DenseAbi.DENSE_LINEAR_ARGS_ACTIVATION, activation.ordinal());
    }

    /**
     * Without fields of its rows.
     *
     * @param input of rounded numbers, like {@code weights}
     * @param output null where numbers go to {@code rounded} only; that is 0 where they do not
     */
    void fast(long input, long weights, long bias, Operand output, long rounded) {
        put(DenseAbi.DENSE_FAST_ARGS_INPUT, input);
        put(DenseAbi.DENSE_FAST_ARGS_WEIGHTS, weights);
        put(DenseAbi.DENSE_FAST_ARGS_BIAS, bias);
        put(DenseAbi.DENSE_FAST_ARGS_OUTPUT, output == null ? 0 : output.address());
        put(DenseAbi.DENSE_FAST_ARGS_OUTPUT_STRIDE, output == null ? 0 : output.stride());
        put(DenseAbi.DENSE_FAST_ARGS_ROUNDED, rounded);
    }

    /** The rest of {@link #fast}. */
    void fastShape(int rows, int inputs, int outputs, DenseActivation activation) {
        put(DenseAbi.DENSE_FAST_ARGS_ROWS, rows);
        put(DenseAbi.DENSE_FAST_ARGS_INPUTS, inputs);
        put(DenseAbi.DENSE_FAST_ARGS_OUTPUTS, outputs);
        put(DenseAbi.DENSE_FAST_ARGS_ACTIVATION, activation.ordinal());
    }

    void cross(
            Operand first,
            Operand input,
            long weights,
            long bias,
            Operand output,
            int rows,
            int width) {
        put(DenseAbi.DENSE_CROSS_ARGS_FIRST, first.address());
        put(DenseAbi.DENSE_CROSS_ARGS_INPUT, input.address());
        put(DenseAbi.DENSE_CROSS_ARGS_WEIGHTS, weights);
        put(DenseAbi.DENSE_CROSS_ARGS_BIAS, bias);
        put(DenseAbi.DENSE_CROSS_ARGS_OUTPUT, output.address());
        put(DenseAbi.DENSE_CROSS_ARGS_ROWS, rows);
        put(DenseAbi.DENSE_CROSS_ARGS_WIDTH, width);
        put(DenseAbi.DENSE_CROSS_ARGS_FIRST_STRIDE, first.stride());
        put(DenseAbi.DENSE_CROSS_ARGS_INPUT_STRIDE, input.stride());
        put(DenseAbi.DENSE_CROSS_ARGS_OUTPUT_STRIDE, output.stride());
    }

    /** Several layers of {@link #cross}, whose weights are so many floats apart. */
    void crosses(int layers, int stride) {
        put(DenseAbi.DENSE_CROSS_ARGS_LAYERS, layers);
        put(DenseAbi.DENSE_CROSS_ARGS_LAYER_STRIDE, stride);
    }

    /**
     * @param right null where there is one side only
     * @param output null where numbers go to {@code rounded} only; that has address 0 where they do not
     */
    void each(
            int operation,
            Operand left,
            Operand right,
            Operand output,
            Operand rounded,
            int rows,
            int width,
            DenseActivation activation) {
        Operand other = right == null ? Operand.NONE : right;
        Operand to = output == null ? Operand.NONE : output;
        put(DenseAbi.DENSE_EACH_ARGS_LEFT, left.address());
        put(DenseAbi.DENSE_EACH_ARGS_RIGHT, other.address());
        put(DenseAbi.DENSE_EACH_ARGS_OUTPUT, to.address());
        put(DenseAbi.DENSE_EACH_ARGS_ROUNDED, rounded.address());
        put(DenseAbi.DENSE_EACH_ARGS_ROWS, rows);
        put(DenseAbi.DENSE_EACH_ARGS_WIDTH, width);
        put(DenseAbi.DENSE_EACH_ARGS_LEFT_STRIDE, left.stride());
        put(DenseAbi.DENSE_EACH_ARGS_LEFT_STEP, left.step());
        put(DenseAbi.DENSE_EACH_ARGS_RIGHT_STRIDE, other.stride());
        put(DenseAbi.DENSE_EACH_ARGS_RIGHT_STEP, other.step());
        put(DenseAbi.DENSE_EACH_ARGS_OUTPUT_STRIDE, to.stride());
        put(DenseAbi.DENSE_EACH_ARGS_ROUNDED_STRIDE, rounded.stride());
        put(DenseAbi.DENSE_EACH_ARGS_OPERATION, operation);
        put(DenseAbi.DENSE_EACH_ARGS_ACTIVATION, activation.ordinal());
    }

    private void put(int offset, int value) {
        MemoryUtil.putInt(address + offset, value);
    }

    private void put(int offset, long value) {
        MemoryUtil.putLong(address + offset, value);
    }
}
