package io.flinkgpu.examples;

import io.flinkgpu.api.dense.DenseBuilder;
import io.flinkgpu.api.dense.DenseMatrix;
import io.flinkgpu.api.dense.DensePlan;
import io.flinkgpu.api.dense.DenseValue;

/** A deep & cross network with made-up weights, always the same. */
final class Weights {

    private static final float UNIT = 0x1p-24f;

    private final SplitMix random = new SplitMix(1);

    private Weights() {}

    /**
     * The network.
     *
     * @param width numbers of a row
     * @param hidden of each of two hidden layers
     */
    static DensePlan network(int width, int crosses, int hidden) {
        Weights weights = new Weights();
        DenseBuilder builder = DensePlan.builder(width);
        DenseValue input = builder.input();
        DenseValue cross = input;
        for (int i = 0; i < crosses; i++) {
            cross =
                    builder.cross(
                            input, cross, weights.some(width, width), weights.some(width, width));
        }
        DenseValue deep = weights.layer(builder, input, hidden);
        deep = weights.layer(builder, deep, hidden);
        DenseValue both = builder.concat(cross, deep);
        DenseValue logit = builder.linear(both, weights.matrix(both.width(), 1), new float[] {-1});
        return builder.build(builder.sigmoid(logit));
    }

    private DenseValue layer(DenseBuilder builder, DenseValue input, int outputs) {
        DenseMatrix matrix = matrix(input.width(), outputs);
        return builder.relu(builder.linear(input, matrix, some(outputs, input.width())));
    }

    private DenseMatrix matrix(int inputs, int outputs) {
        return DenseMatrix.of(inputs, outputs, some(inputs * outputs, inputs));
    }

    /** Numbers that keep sums of so many products small. */
    private float[] some(int count, int products) {
        float[] numbers = new float[count];
        for (int i = 0; i < count; i++) {
            numbers[i] = number(random, (float) Math.sqrt(3.0 / products));
        }
        return numbers;
    }

    /** A number between minus and plus {@code most}. */
    static float number(SplitMix random, float most) {
        return ((random.upper() >>> 8) * UNIT * 2 - 1) * most;
    }
}
