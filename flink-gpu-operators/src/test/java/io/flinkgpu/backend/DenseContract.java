package io.flinkgpu.backend;

import io.flinkgpu.api.dense.DensePlan;
import io.flinkgpu.oracle.DenseModel;
import io.flinkgpu.oracle.DenseModel.Kind;

import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.List;
import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;

/** What a network has to give on each backend: the oracle's bits, and NaN where that has NaN. */
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
