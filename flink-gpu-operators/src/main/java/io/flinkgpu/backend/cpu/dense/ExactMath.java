package io.flinkgpu.backend.cpu.dense;

import io.flinkgpu.api.dense.DenseActivation;

import java.util.Arrays;

/** The functions of {@link io.flinkgpu.api.dense.DensePlan}, step by step as there. */
final class ExactMath {

    private static final int LANES = 32;
    private static final float LEAST = -104;
    private static final float LOG2_E = 0x1.715476p0f;
    private static final float LN_2_HIGH = 0x1.62e4p-1f;
    private static final float LN_2_LOW = 0x1.7f7d1cp-20f;

    /** Added and taken away again, it leaves the nearest integer; its last bits are the integer's. */
    private static final float ROUNDER = 0x1.8p23f;

    private static final int ONE_BITS = 127;
    private static final int EXPONENT_SHIFT = 23;

    private ExactMath() {}

    /** The exponential of a number that is not positive. */
    static float exp(float a) {
        if (a < LEAST) {
            return 0;
        }
        float n = Math.fma(a, LOG2_E, ROUNDER) - ROUNDER;
        float r = Math.fma(n, -LN_2_LOW, Math.fma(n, -LN_2_HIGH, a));
        float p = Math.fma(r, 1f / 5040, 1f / 720);
        p = Math.fma(r, p, 1f / 120);
        p = Math.fma(r, p, 1f / 24);
        p = Math.fma(r, p, 1f / 6);
        p = Math.fma(r, p, 0.5f);
        p = Math.fma(r, p, 1);
        p = Math.fma(r, p, 1);
        int power = (int) n;
        int half = power >> 1;
        return p * power(half) * power(power - half);
    }

    private static float power(int exponent) {
        return Float.intBitsToFloat(ONE_BITS + exponent << EXPONENT_SHIFT);
    }

    static float sigmoid(float x) {
        float e = exp(-Math.abs(x));
        return x < 0 ? e / (1 + e) : 1 / (1 + e);
    }

    /** Changes the first {@code count} numbers. */
    static void activate(DenseActivation activation, float[] values, int count) {
        switch (activation) {
            case NONE -> {}
            case RELU -> {
                for (int i = 0; i < count; i++) {
                    values[i] = Math.max(values[i], 0);
                }
            }
            case SIGMOID -> {
                for (int i = 0; i < count; i++) {
                    values[i] = sigmoid(values[i]);
                }
            }
        }
    }

    /**
     * A dot product.
     *
     * @param lanes 32 floats for its own use
     */
    static float dot(float[] x, float[] weights, float[] lanes) {
        Arrays.fill(lanes, 0);
        for (int k = 0; k < weights.length; k++) {
            lanes[k % LANES] = Math.fma(x[k], weights[k], lanes[k % LANES]);
        }
        // Of p[l] + p[l ^ d] only the lower lanes are read again.
        for (int d = LANES / 2; d > 0; d /= 2) {
            for (int lane = 0; lane < d; lane++) {
                lanes[lane] += lanes[lane + d];
            }
        }
        return lanes[0];
    }
}
