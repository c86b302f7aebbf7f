package io.flinkgpu.backend;

import io.flinkgpu.api.dense.DensePlan;
import io.flinkgpu.api.dense.DensePrecision;
import io.flinkgpu.testkit.DenseBounds;
import io.flinkgpu.testkit.DenseModel;
import io.flinkgpu.testkit.DenseModel.Kind;

import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.List;
import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;

/**
 * What a network has to give on each backend: the oracle's bits, and NaN where that has NaN.
 *
 * <p>Covers: DensePlan.
 */
abstract class DenseContract {

    /** Runs all rows, in one batch. */
    abstract float[][] run(DensePlan plan, float[][] rows) throws Exception;

    @Test
    void randomNetworksGiveTheOraclesBits() throws Exception {
        long seed = System.nanoTime();
        for (int round = 0; round < 60; round++) {
            Random random = new Random(seed + round);
            DenseModel model = DenseModel.random(random);
            check("seed=" + (seed + round), model, random, 1 + random.nextInt(200));
        }
    }

    @Test
    void deepAndCross() throws Exception {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        check("seed=" + seed, deepAndCross(random, 85, 3, 130), random, 135);
    }

    @Test
    void oneRow() throws Exception {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        check("seed=" + seed, deepAndCross(random, 5, 1, 4), random, 1);
    }

    /** Sums that reach -0.0 stay there: nothing is added for what is not there. */
    @Test
    void negativeZeroStays() throws Exception {
        DenseModel model = new DenseModel(3);
        model.linear(0, 2, new float[] {-1e-30f, 1e-30f, 0, 0, 0, 0}, new float[] {-0f, 0f});
        float[] row = {1e-30f, -1f, -5f};
        assertThat(bits(model.run(row))).isEqualTo(new int[] {0x80000000, 0});
        check("negative zero", model, row);
        DenseModel relu = new DenseModel(3);
        relu.add(Kind.RELU, 3, List.of(0));
        check("relu", relu, new float[] {-0f, 0f, Float.NaN});
        assertThat(bits(relu.run(new float[] {-0f, -3, 1})))
                .isEqualTo(new int[] {0, 0, 0x3f800000});
    }

    @Test
    void sigmoidsOfAllMagnitudes() throws Exception {
        DenseModel model = new DenseModel(2);
        model.add(Kind.SIGMOID, 2, List.of(0));
        float[][] rows = new float[4_096][];
        Arrays.setAll(
                rows,
                i -> {
                    float x = Float.intBitsToFloat(i << 19);
                    return new float[] {x, -x};
                });
        check("sigmoid", model, rows);
        float[][] near = new float[4_000][];
        Arrays.setAll(near, i -> new float[] {i * 0.03f - 60, i * 0.001f - 105});
        check("sigmoid", model, near);
        for (float[] row : near) {
            double exact = 1 / (1 + Math.exp(-(double) row[0]));
            assertThat((double) model.run(row)[0])
                    .isCloseTo(exact, offset(2.5 * Math.ulp((float) exact)));
        }
    }

    /** Several cross layers that follow each other, of rows that are wide and that are not. */
    @Test
    void crossLayersInARow() throws Exception {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int width : new int[] {1, 32, 500, 1_024, 1_025}) {
            DenseModel model = new DenseModel(width);
            int cross = 0;
            for (int i = 0; i < 4; i++) {
                float[] weights = DenseModel.some(random, width);
                // The third begins anew with another value in place of the first.
                cross = model.cross(i < 2 ? 0 : 2, cross, weights, DenseModel.some(random, width));
            }
            model.add(Kind.CONCAT, 2 * width, List.of(cross, 0));
            check("seed=%d, width=%d".formatted(seed, width), model, random, 9);
        }
    }

    @Test
    void fastNetworksAreWithinTheirBound() throws Exception {
        long seed = System.nanoTime();
        for (int round = 0; round < 60; round++) {
            Random random = new Random(seed + round);
            DenseModel model = DenseModel.random(random);
            checkFast("seed=" + (seed + round), model, random, 1 + random.nextInt(200));
        }
        Random random = new Random(seed);
        checkFast("seed=" + seed, deepAndCross(random, 85, 3, 300), random, 260);
    }

    /** Nothing is rounded where all numbers are bf16 already: sums differ by their order only. */
    @Test
    void fastSumsOfRoundedNumbers() throws Exception {
        long seed = System.nanoTime();
        for (int[] shape : new int[][] {{1, 2}, {33, 17}, {200, 300}, {845, 64}}) {
            Random random = new Random(seed);
            DenseModel model = fastLinear(random, shape[0], shape[1]);
            float[][] rows = model.rows(random, 150, false);
            for (float[] row : rows) {
                round(row);
            }
            DensePlan plan = model.plan().withPrecision(DensePrecision.FAST);
            float[][] actual = run(plan, rows);
            for (int row = 0; row < rows.length; row++) {
                float[] weights = model.steps().get(0).weights();
                for (int j = 0; j < shape[1]; j++) {
                    double sum = 0;
                    double size = 0;
                    for (int k = 0; k < shape[0]; k++) {
                        double product = (double) rows[row][k] * weights[k * shape[1] + j];
                        sum += product;
                        size += Math.abs(product);
                    }
                    assertThat((double) actual[row][j])
                            .as("seed=%d, inputs=%d, row=%d, output=%d", seed, shape[0], row, j)
                            .isCloseTo(sum, offset(shape[0] * 0x1p-22 * size));
                }
            }
        }
    }

    @Test
    void fastNanAndInfinity() throws Exception {
        DenseModel model = new DenseModel(2);
        model.linear(0, 2, new float[] {1, -1, 1, 0.5f}, null);
        DensePlan plan = model.plan().withPrecision(DensePrecision.FAST);
        float infinite = Float.POSITIVE_INFINITY;
        float[][] rows = {{Float.NaN, 1}, {infinite, 1}, {infinite, -infinite}, {1, 2}};
        float[][] actual = run(plan, rows);
        assertThat(actual[0]).containsExactly(Float.NaN, Float.NaN);
        assertThat(actual[1]).containsExactly(infinite, -infinite);
        assertThat(actual[2]).containsExactly(Float.NaN, -infinite);
        assertThat(actual[3]).containsExactly(3, 0);
    }

    /** A layer whose weights are bf16. */
    static DenseModel fastLinear(Random random, int inputs, int outputs) {
        DenseModel model = new DenseModel(inputs);
        float[] weights = DenseModel.some(random, inputs * outputs);
        round(weights);
        model.linear(0, outputs, weights, null);
        return model;
    }

    private static void round(float[] numbers) {
        for (int i = 0; i < numbers.length; i++) {
            int bits = Float.floatToIntBits(numbers[i]);
            numbers[i] = Float.intBitsToFloat(bits & 0xffff0000);
        }
    }

    private void checkFast(String what, DenseModel model, Random random, int count)
            throws Exception {
        float[][] rows = model.rows(random, count, false);
        float[][] actual = run(model.plan().withPrecision(DensePrecision.FAST), rows);
        for (int row = 0; row < rows.length; row++) {
            DenseBounds bounds = DenseBounds.of(model, rows[row]);
            for (int j = 0; j < actual[row].length; j++) {
                assertThat((double) actual[row][j])
                        .as("%s, row=%d, output=%d", what, row, j)
                        .isCloseTo(bounds.value(j), offset(bounds.bound(j)));
            }
        }
    }

    /**
     * Cross layers and an MLP of two layers, both into one probability.
     *
     * @param width of the input
     */
    static DenseModel deepAndCross(Random random, int width, int crosses, int hidden) {
        DenseModel model = new DenseModel(width);
        int cross = 0;
        for (int i = 0; i < crosses; i++) {
            cross =
                    model.cross(
                            0,
                            cross,
                            DenseModel.some(random, width),
                            DenseModel.some(random, width));
        }
        int deep = 0;
        for (int i = 0; i < 2; i++) {
            int inputs = model.width(deep);
            deep =
                    model.linear(
                            deep,
                            hidden,
                            DenseModel.some(random, inputs * hidden),
                            DenseModel.some(random, hidden));
            deep = model.add(Kind.RELU, hidden, List.of(deep));
        }
        int both = model.add(Kind.CONCAT, width + hidden, List.of(cross, deep));
        int logit = model.linear(both, 1, DenseModel.some(random, width + hidden), new float[] {1});
        model.add(Kind.SIGMOID, 1, List.of(logit));
        return model;
    }

    private void check(String what, DenseModel model, Random random, int rows) throws Exception {
        check(what, model, model.rows(random, rows, true));
    }

    private void check(String what, DenseModel model, float[]... rows) throws Exception {
        float[][] actual = run(model.plan(), rows);
        assertThat(actual).as(what).hasDimensions(rows.length, model.width(model.steps().size()));
        for (int row = 0; row < rows.length; row++) {
            assertThat(bits(actual[row]))
                    .as("%s, row=%d", what, row)
                    .isEqualTo(bits(model.run(rows[row])));
        }
    }

    /** All NaNs are one. */
    private static int[] bits(float[] values) {
        int[] bits = new int[values.length];
        Arrays.setAll(bits, i -> Float.floatToIntBits(values[i]));
        return bits;
    }
}
