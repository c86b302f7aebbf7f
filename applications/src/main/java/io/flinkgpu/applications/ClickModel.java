package io.flinkgpu.applications;

import io.flinkgpu.api.dense.DenseBuilder;
import io.flinkgpu.api.dense.DenseMatrix;
import io.flinkgpu.api.dense.DensePlan;
import io.flinkgpu.api.dense.DenseValue;

/**
 * The weights of a deep &amp; cross network: cross layers beside two hidden layers, and a logit of both (Wang et al., Deep &amp;
 * Cross Network for Ad Click Predictions, 2017). Made up at first, always the same; {@link #step} trains them. One
 * thread's.
 */
final class ClickModel {

    private final int width;
    private final int hidden;
    private final float[][] crossWeights;
    private final float[][] crossBiases;

    /** Of the hidden layers, a row for each input. */
    private final float[][] weights;

    private final float[][] biases;
    private final float[] last;
    private float lastBias = -1;

    /** What the layers gave: of the crosses from the input on, and of the hidden layers. */
    private final float[][] crossed;

    private final float[][] deep;

    /**
     * @param width numbers of a row
     * @param hidden of each of the hidden layers
     */
    ClickModel(int width, int crosses, int hidden) {
        this.width = width;
        this.hidden = hidden;
        Weights made = new Weights();
        crossWeights = new float[crosses][];
        crossBiases = new float[crosses][];
        for (int i = 0; i < crosses; i++) {
            crossWeights[i] = made.some(width, width);
            crossBiases[i] = made.some(width, width);
        }
        weights = new float[2][];
        biases = new float[2][];
        for (int i = 0; i < 2; i++) {
            int inputs = i == 0 ? width : hidden;
            weights[i] = made.some(inputs * hidden, inputs);
            biases[i] = made.some(hidden, inputs);
        }
        last = made.some(width + hidden, width + hidden);
        crossed = new float[crosses + 1][width];
        deep = new float[2][hidden];
    }

    /** The network with the weights as they are. */
    DensePlan network() {
        DenseBuilder builder = DensePlan.builder(width);
        DenseValue input = builder.input();
        DenseValue cross = input;
        for (int i = 0; i < crossWeights.length; i++) {
            cross = builder.cross(input, cross, crossWeights[i].clone(), crossBiases[i].clone());
        }
        DenseValue value = input;
        for (int i = 0; i < 2; i++) {
            DenseMatrix matrix = DenseMatrix.of(value.width(), hidden, weights[i].clone());
            value = builder.relu(builder.linear(value, matrix, biases[i].clone()));
        }
        DenseValue both = builder.concat(cross, value);
        DenseMatrix matrix = DenseMatrix.of(both.width(), 1, last.clone());
        DenseValue logit = builder.linear(both, matrix, new float[] {lastBias});
        return builder.build(builder.sigmoid(logit));
    }

    /**
     * A step of stochastic gradient descent.
     *
     * @param rate how far it goes
     * @return the log loss of the sample before it
     */
    double step(float[] input, boolean clicked, float rate) {
        double score = score(input);
        float error = (float) (score - (clicked ? 1 : 0)) * rate;
        float[] crossError = new float[width];
        float[] deepError = new float[hidden];
        for (int i = 0; i < width; i++) {
            crossError[i] = error * last[i];
            last[i] -= error * crossed[crossWeights.length][i];
        }
        for (int i = 0; i < hidden; i++) {
            deepError[i] = error * last[width + i];
            last[width + i] -= error * deep[1][i];
        }
        lastBias -= error;
        stepCrosses(crossError);
        stepHidden(0, stepHidden(1, deepError));
        return -Math.log(Math.max(1e-12, clicked ? score : 1 - score));
    }

    /** The network's answer, in an order of additions of its own. */
    private double score(float[] input) {
        System.arraycopy(input, 0, crossed[0], 0, width);
        for (int layer = 0; layer < crossWeights.length; layer++) {
            float product = product(crossed[layer], crossWeights[layer]);
            for (int i = 0; i < width; i++) {
                crossed[layer + 1][i] =
                        input[i] * product + crossBiases[layer][i] + crossed[layer][i];
            }
        }
        for (int layer = 0; layer < 2; layer++) {
            float[] from = layer == 0 ? input : deep[0];
            float[] sums = biases[layer].clone();
            for (int i = 0; i < from.length; i++) {
                for (int k = 0; k < hidden; k++) {
                    sums[k] += from[i] * weights[layer][i * hidden + k];
                }
            }
            for (int k = 0; k < hidden; k++) {
                deep[layer][k] = Math.max(0, sums[k]);
            }
        }
        double logit = lastBias;
        for (int i = 0; i < width; i++) {
            logit += crossed[crossWeights.length][i] * last[i];
        }
        for (int i = 0; i < hidden; i++) {
            logit += deep[1][i] * last[width + i];
        }
        return 1 / (1 + StrictMath.exp(-logit));
    }

    private static float product(float[] left, float[] right) {
        float sum = 0;
        for (int i = 0; i < left.length; i++) {
            sum += left[i] * right[i];
        }
        return sum;
    }

    private void stepCrosses(float[] error) {
        float[] after = error;
        for (int layer = crossWeights.length - 1; layer >= 0; layer--) {
            float product = product(after, crossed[0]);
            float[] before = after.clone();
            for (int i = 0; i < width; i++) {
                before[i] += product * crossWeights[layer][i];
                crossWeights[layer][i] -= product * crossed[layer][i];
                crossBiases[layer][i] -= after[i];
            }
            after = before;
        }
    }

    /** The errors of what the layer reads. */
    private float[] stepHidden(int layer, float[] error) {
        float[] from = layer == 0 ? crossed[0] : deep[0];
        float[] before = new float[from.length];
        for (int k = 0; k < hidden; k++) {
            if (deep[layer][k] > 0) {
                biases[layer][k] -= error[k];
                for (int i = 0; i < from.length; i++) {
                    before[i] += error[k] * weights[layer][i * hidden + k];
                    weights[layer][i * hidden + k] -= error[k] * from[i];
                }
            }
        }
        return before;
    }
}
