package io.flinkgpu.backend.cuda.dense;

import io.flinkgpu.api.dense.DenseActivation;

import org.apache.arrow.memory.util.MemoryUtil;

/**
 * The parameter of a launch, in host memory.
 *
 * @param address of 64 bytes
 */
record DenseArgs(long address) {

    /**
     * A matrix on the device.
     *
     * @param address of its first number
     * @param stride numbers from a row to the next; 0 if all are the same
     * @param step numbers from a column to the next; 0 if all are the same
     */
    record Operand(long address, int stride, int step) {}

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

    /**
     * @param right null where there is one side only
     */
    void each(
            int operation,
            Operand left,
            Operand right,
            Operand output,
            int rows,
            int width,
            DenseActivation activation) {
        Operand other = right == null ? new Operand(0, 0, 0) : right;
        put(DenseAbi.DENSE_EACH_ARGS_LEFT, left.address());
        put(DenseAbi.DENSE_EACH_ARGS_RIGHT, other.address());
        put(DenseAbi.DENSE_EACH_ARGS_OUTPUT, output.address());
        put(DenseAbi.DENSE_EACH_ARGS_ROWS, rows);
        put(DenseAbi.DENSE_EACH_ARGS_WIDTH, width);
        put(DenseAbi.DENSE_EACH_ARGS_LEFT_STRIDE, left.stride());
        put(DenseAbi.DENSE_EACH_ARGS_LEFT_STEP, left.step());
        put(DenseAbi.DENSE_EACH_ARGS_RIGHT_STRIDE, other.stride());
        put(DenseAbi.DENSE_EACH_ARGS_RIGHT_STEP, other.step());
        put(DenseAbi.DENSE_EACH_ARGS_OUTPUT_STRIDE, output.stride());
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
