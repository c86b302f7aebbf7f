package io.flinkgpu.backend.cuda.dense;

import org.apache.flink.annotation.Internal;

/**
 * The numbers of {@code kernels/include/dense/dense_abi.cuh} that this side uses, under the same names; a test
 * compares the two. What the fields of the structs mean is said there.
 */
@Internal
public final class DenseAbi {

    static final int DENSE_THREADS = 256;
    static final int DENSE_TILE = 128;
    static final int DENSE_WARP_ROWS = 8;
    static final int DENSE_MOST_CROSSED = 1024;

    static final int DENSE_FAST_ROWS = 128;
    static final int DENSE_FAST_OUTPUTS = 128;
    static final int DENSE_FAST_DEPTH = 32;
    static final int DENSE_FAST_STAGES = 4;
    static final int DENSE_FAST_SHARED_BYTES = 65536;

    static final int EACH_ADD = 0;
    static final int EACH_MULTIPLY = 1;
    static final int EACH_COPY = 2;

    static final int DENSE_LINEAR_ARGS_INPUT = 0;
    static final int DENSE_LINEAR_ARGS_WEIGHTS = 8;
    static final int DENSE_LINEAR_ARGS_BIAS = 16;
    static final int DENSE_LINEAR_ARGS_OUTPUT = 24;
    static final int DENSE_LINEAR_ARGS_ROWS = 32;
    static final int DENSE_LINEAR_ARGS_INPUTS = 36;
    static final int DENSE_LINEAR_ARGS_OUTPUTS = 40;
    static final int DENSE_LINEAR_ARGS_INPUT_STRIDE = 44;
    static final int DENSE_LINEAR_ARGS_WEIGHT_STRIDE = 48;
    static final int DENSE_LINEAR_ARGS_OUTPUT_STRIDE = 52;
    static final int DENSE_LINEAR_ARGS_ACTIVATION = 56;
    public static final int DENSE_LINEAR_ARGS_BYTES = 64;

    static final int DENSE_FAST_ARGS_INPUT = 0;
    static final int DENSE_FAST_ARGS_WEIGHTS = 8;
    static final int DENSE_FAST_ARGS_BIAS = 16;
    static final int DENSE_FAST_ARGS_OUTPUT = 24;
    static final int DENSE_FAST_ARGS_ROUNDED = 32;
    static final int DENSE_FAST_ARGS_ROWS = 40;
    static final int DENSE_FAST_ARGS_INPUTS = 44;
    static final int DENSE_FAST_ARGS_OUTPUTS = 48;
    static final int DENSE_FAST_ARGS_OUTPUT_STRIDE = 52;
    static final int DENSE_FAST_ARGS_ACTIVATION = 56;
    public static final int DENSE_FAST_ARGS_BYTES = 64;

    static final int DENSE_CROSS_ARGS_FIRST = 0;
    static final int DENSE_CROSS_ARGS_INPUT = 8;
    static final int DENSE_CROSS_ARGS_WEIGHTS = 16;
    static final int DENSE_CROSS_ARGS_BIAS = 24;
    static final int DENSE_CROSS_ARGS_OUTPUT = 32;
    static final int DENSE_CROSS_ARGS_ROWS = 40;
    static final int DENSE_CROSS_ARGS_WIDTH = 44;
    static final int DENSE_CROSS_ARGS_FIRST_STRIDE = 48;
    static final int DENSE_CROSS_ARGS_INPUT_STRIDE = 52;
    static final int DENSE_CROSS_ARGS_OUTPUT_STRIDE = 56;
    static final int DENSE_CROSS_ARGS_LAYERS = 60;
    static final int DENSE_CROSS_ARGS_LAYER_STRIDE = 64;
    public static final int DENSE_CROSS_ARGS_BYTES = 72;

    static final int DENSE_EACH_ARGS_LEFT = 0;
    static final int DENSE_EACH_ARGS_RIGHT = 8;
    static final int DENSE_EACH_ARGS_OUTPUT = 16;
    static final int DENSE_EACH_ARGS_ROUNDED = 24;
    static final int DENSE_EACH_ARGS_ROWS = 32;
    static final int DENSE_EACH_ARGS_WIDTH = 36;
    static final int DENSE_EACH_ARGS_LEFT_STRIDE = 40;
    static final int DENSE_EACH_ARGS_LEFT_STEP = 44;
    static final int DENSE_EACH_ARGS_RIGHT_STRIDE = 48;
    static final int DENSE_EACH_ARGS_RIGHT_STEP = 52;
    static final int DENSE_EACH_ARGS_OUTPUT_STRIDE = 56;
    static final int DENSE_EACH_ARGS_ROUNDED_STRIDE = 60;
    static final int DENSE_EACH_ARGS_OPERATION = 64;
    static final int DENSE_EACH_ARGS_ACTIVATION = 68;
    public static final int DENSE_EACH_ARGS_BYTES = 72;

    private DenseAbi() {}
}
