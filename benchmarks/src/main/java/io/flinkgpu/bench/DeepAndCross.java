package io.flinkgpu.bench;

import io.flinkgpu.oracle.DenseModel;
import io.flinkgpu.oracle.DenseModel.Kind;

import java.util.List;
import java.util.Random;

/** A deep & cross network with random weights: cross layers and two hidden layers, both into one number. */
final class DeepAndCross {

    private DeepAndCross() {}

    static DenseModel of(Random random, int width, int crosses, int hidden) {
        DenseModel model = new DenseModel(width);
        int cross = 0;
        for (int i = 0; i < crosses; i++) {
            float[] weights = DenseModel.some(random, width);
            cross = model.cross(0, cross, weights, DenseModel.some(random, width));
        }
        int deep = 0;
        for (int i = 0; i < 2; i++) {
            float[] weights = DenseModel.some(random, model.width(deep) * hidden);
            deep = model.linear(deep, hidden, weights, DenseModel.some(random, hidden));
            deep = model.add(Kind.RELU, hidden, List.of(deep));
        }
        int both = model.add(Kind.CONCAT, width + hidden, List.of(cross, deep));
        model.linear(both, 1, DenseModel.some(random, width + hidden), new float[1]);
        return model;
    }
}
