package io.flinkgpu.cells;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.DoubleStream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Against the sorted values.
 *
 * <p>Covers: QuantileSketch.
 */
class QuantileSketchTest {

    private static final long SEED = Long.getLong("cells.seed", System.nanoTime());
    private static final List<Double> QUANTILES = List.of(0.5, 0.0, 1.0, 0.01, 0.25, 0.99, 0.999);

    private final Random random = new Random(SEED);

    @ParameterizedTest
    @ValueSource(doubles = {1e-4, 1e-3, 0.01, 0.1, 0.5})
    void valuesAreOffByTheErrorAtMost(double error) {
        QuantileSketch function = new QuantileSketch(error, 0);
        QuantileBuckets buckets = new QuantileBuckets(error);
        for (int run = 0; run < 100; run++) {
            double[] values = values(1 + random.nextInt(1 << random.nextInt(11)));
            List<byte[]> rows = rows(buckets, values);
            byte[] cell = Merging.merged(function, rows, random);
            Collections.shuffle(rows, random);
            assertThat(Merging.merged(function, rows, random)).as("seed=%d", SEED).isEqualTo(cell);
            Arrays.sort(values);
            for (double quantile : QUANTILES) {
                double exact = values[(int) (quantile * (values.length - 1))];
                assertNear(quantile(error, quantile, cell), exact, error);
            }
        }
    }

    /** From the least positive double to the greatest, and where buckets meet. */
    @ParameterizedTest
    @ValueSource(doubles = {1e-4, 0.01, 0.5})
    void allMagnitudes(double error) {
        QuantileBuckets buckets = new QuantileBuckets(error);
        int before = 0;
        for (double value = Double.MIN_VALUE; value <= Double.MAX_VALUE; value *= 1.001 + 1e-9) {
            value = Math.nextUp(value);
            int bucket = buckets.bucket(value);
            assertThat(bucket).isGreaterThanOrEqualTo(before);
            assertThat(buckets.bucket(-value)).isEqualTo(-bucket);
            assertNear(buckets.value(bucket), value, error);
            assertNear(buckets.value(-bucket), -value, error);
            before = bucket;
        }
        assertThat(buckets.bucket(Double.MIN_VALUE)).isOne();
        assertThat(buckets.value(1)).isEqualTo(Double.MIN_VALUE);
        assertNear(buckets.value(buckets.bucket(Double.MAX_VALUE)), Double.MAX_VALUE, error);
    }

    @Test
    void bucketsAreAFewTensOfThousands() {
        assertThat(new QuantileBuckets(0.01).bucket(Double.MAX_VALUE)).isBetween(70_000, 73_000);
    }

    @Test
    void whatHasNoMagnitude() {
        double inf = Double.POSITIVE_INFINITY;
        double[] values = {Double.NaN, 0.0, inf, -inf, -0.0};
        byte[] cell =
                Merging.merged(
                        new QuantileSketch(0.01, 0),
                        rows(new QuantileBuckets(0.01), values),
                        random);
        assertThat(DoubleStream.of(0, 0.25, 0.5, 0.75, 1).map(q -> quantile(0.01, q, cell)))
                .containsExactly(-inf, 0.0, 0.0, inf, Double.NaN);
    }

    @Test
    void otherErrorsAreRefused() {
        assertThatThrownBy(() -> new QuantileSketch(1, 0.5))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "the relative error of a quantile is 0.0001 to 0.5: error=1.0; 0.01 is one"
                                + " percent");
    }

    private static double quantile(double error, double quantile, byte[] cell) {
        return (Double) new QuantileSketch(error, quantile).result(cell, 0, cell.length);
    }

    private static void assertNear(double actual, double exact, double error) {
        // A number below the normal ones has few bits: half of the last may be off as well.
        double ulp = Math.abs(exact) < Double.MIN_NORMAL ? Double.MIN_VALUE : 0;
        assertThat(Math.abs(actual - exact))
                .as("seed=%d, actual=%s, exact=%s", SEED, actual, exact)
                .isLessThanOrEqualTo(error * Math.abs(exact) + ulp);
    }

    private double[] values(int size) {
        double[] values = new double[size];
        int kind = random.nextInt(4);
        for (int i = 0; i < size; i++) {
            values[i] =
                    switch (kind) {
                        case 0 -> random.nextInt(100) - 50;
                        case 1 -> random.nextGaussian();
                        case 2 -> Math.exp(random.nextGaussian() * 9);
                        default ->
                                random.nextGaussian() * Math.scalb(1.0, random.nextInt(1900) - 950);
                    };
        }
        return values;
    }

    private static List<byte[]> rows(QuantileBuckets buckets, double... values) {
        List<byte[]> rows = new ArrayList<>();
        for (double value : values) {
            rows.add(
                    ByteBuffer.allocate(12)
                            .order(ByteOrder.LITTLE_ENDIAN)
                            .putInt(buckets.bucket(value))
                            .putLong(1)
                            .array());
        }
        return rows;
    }
}
