package io.flinkgpu.backend.cpu.dense;

import io.flinkgpu.api.dense.DenseActivation;
import io.flinkgpu.api.dense.DenseLayer;

import java.util.Arrays;

/**
 * A linear layer of several outputs. Four rows of weights are added to all rows of the block before the next
 * four: they stay in the first level cache. The compiler makes vectors of such a loop only if all arrays have
 * the same index and are few.
 */
final class CpuLinear implements CpuStep {

    private final float[][] weights;
    private final float[] bias;
    private final DenseActivation activation;
    private final float[][] input;
    private final float[][] output;

    CpuLinear(DenseLayer.Linear layer, float[][] input, float[][] output) {
        weights = new float[layer.weights().rows()][];
        Arrays.setAll(weights, k -> layer.weights().row(k));
        bias = layer.bias() == null ? null : layer.bias().toArray();
        activation = layer.activation();
        this.input = input;
        this.output = output;
    }

    @Override
    public void run(int rows) {
        int outputs = weights[0].length;
        for (int row = 0; row < rows; row++) {
            Arrays.fill(output[row], 0, outputs, 0);
        }
        int k = 0;
        for (; k + 4 <= weights.length; k += 4) {
            for (int row = 0; row < rows; row++) {
                float[] x = input[row];
                addFour(
                        output[row],
                        weights[k],
                        weights[k + 1],
                        weights[k + 2],
                        weights[k + 3],
                        x[k],
                        x[k + 1],
                        x[k + 2],
                        x[k + 3]);
            }
        }
        for (; k < weights.length; k++) {
            for (int row = 0; row < rows; row++) {
                addOne(output[row], weights[k], input[row][k]);
            }
        }
        for (int row = 0; row < rows; row++) {
            if (bias != null) {
                add(output[row], bias);
            }
            ExactMath.activate(activation, output[row], outputs);
        }
    }

    private static void addFour(
            float[] sums,
            float[] w0,
            float[] w1,
            float[] w2,
            float[] w3,
            float x0,
            float x1,
            float x2,
            float x3) {
        for (int j = 0; j < w0.length; j++) {
            float sum = Math.fma(x1, w1[j], Math.fma(x0, w0[j], sums[j]));
            sums[j] = Math.fma(x3, w3[j], Math.fma(x2, w2[j], sum));
        }
    }

    private static void addOne(float[] sums, float[] w, float x) {
        for (int j = 0; j < w.length; j++) {
            sums[j] = Math.fma(x, w[j], sums[j]);
        }
    }

    private static void add(float[] sums, float[] bias) {
        for (int j = 0; j < bias.length; j++) {
            sums[j] += bias[j];
        }
    }
}
