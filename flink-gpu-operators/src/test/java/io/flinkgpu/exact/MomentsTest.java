package io.flinkgpu.exact;

import org.junit.jupiter.api.Test;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.DoubleSupplier;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Covers: Moments.
 */
class MomentsTest {

    private static final long SEED = Long.getLong("exact.seed", 20_260_101);

    @Test
    void doublesOfAnyKind() {
        for (int run = 0; run < 2_000; run++) {
            long seed = SEED + run;
            Random random = new Random(seed);
            int least = random.nextInt(2046);
            int width = 1 + random.nextInt(Math.min(120, 2046 - least));
            DoubleSupplier next =
                    switch (random.nextInt(4)) {
                        case 0 -> () -> random.nextInt(100) / 10.0;
                        case 1 -> () -> 1e9 + random.nextInt(3) * 1e-7;
                        case 2 -> () -> random.nextInt(3) * Double.MIN_VALUE;
                        default ->
                                () ->
                                        Double.longBitsToDouble(
                                                random.nextLong() & Long.MIN_VALUE
                                                        | (long) (least + random.nextInt(width))
                                                                << 52
                                                        | random.nextLong() >>> 12);
                    };
            List<BigDecimal> exact = new ArrayList<>();
            DoubleSum sum = new DoubleSum();
            SquareSum squares = new SquareSum();
            for (int left = random.nextInt(8); left >= 0; left--) {
                double value = next.getAsDouble();
                exact.add(new BigDecimal(value));
                sum.add(Double.doubleToLongBits(value));
                squares.addDouble(Double.doubleToLongBits(value));
            }
            check(Moments.ofDoubles(exact.size(), sum.digits(), squares.digits()), exact, seed);
        }
    }

    @Test
    void integersAndDecimals() {
        for (int run = 0; run < 2_000; run++) {
            long seed = SEED + run;
            Random random = new Random(seed);
            int scale = random.nextBoolean() ? 0 : random.nextInt(19);
            int shift = random.nextInt(64);
            List<BigDecimal> exact = new ArrayList<>();
            LongSum sum = new LongSum();
            SquareSum squares = new SquareSum();
            for (int left = random.nextInt(8); left >= 0; left--) {
                long value = random.nextInt(9) == 0 ? Long.MIN_VALUE : random.nextLong() >> shift;
                exact.add(BigDecimal.valueOf(value, scale));
                sum.add(value);
                squares.addInteger(value);
            }
            check(Moments.ofIntegers(exact.size(), sum, squares.digits(), scale), exact, seed);
        }
    }

    @Test
    void limits() {
        double max = Double.MAX_VALUE;
        assertThat(ofDoubles(max, -max).variance(true)).isEqualTo(Double.POSITIVE_INFINITY);
        assertThat(ofDoubles(max, -max).standardDeviation(false)).isEqualTo(max);
        double min = Double.MIN_VALUE;
        assertThat(ofDoubles(min, -min).variance(true)).isEqualTo(0.0);
        assertThat(ofDoubles(min, -min).standardDeviation(false)).isEqualTo(min);
        assertThat(ofDoubles(0.1, 0.1, 0.1).standardDeviation(true)).isEqualTo(0.0);
        assertThat(ofDoubles(-0.0).variance(false)).isEqualTo(0.0);
        // The root is halfway between two doubles, the upper of which is even.
        assertThat(ofDoubles(-48.9, 39.30000000000001).standardDeviation(false))
                .isEqualTo(0x1.60ccccccccccep5);
        // A textbook's two passes give 0 here, and one pass less than that.
        assertThat(ofDoubles(0x1p53, 0x1p53 + 2).variance(true)).isEqualTo(2.0);
    }

    private static Moments ofDoubles(double... values) {
        DoubleSum sum = new DoubleSum();
        SquareSum squares = new SquareSum();
        for (double value : values) {
            sum.add(Double.doubleToLongBits(value));
            squares.addDouble(Double.doubleToLongBits(value));
        }
        return Moments.ofDoubles(values.length, sum.digits(), squares.digits());
    }

    private static void check(Moments moments, List<BigDecimal> values, long seed) {
        long n = values.size();
        BigDecimal sum = values.stream().reduce(BigDecimal.ZERO, BigDecimal::add);
        BigDecimal spread =
                values.stream()
                        .map(value -> value.multiply(value))
                        .reduce(BigDecimal.ZERO, BigDecimal::add)
                        .multiply(BigDecimal.valueOf(n))
                        .subtract(sum.multiply(sum));
        for (boolean ofSample : new boolean[] {false, true}) {
            long divisor = n * (ofSample ? n - 1 : n);
            if (divisor > 0) {
                assertThat(moments.variance(ofSample))
                        .as("seed=%d, values=%s", seed, values)
                        .isEqualTo(Oracle.quotient(spread, divisor));
                assertThat(Oracle.isRoot(moments.standardDeviation(ofSample), spread, divisor))
                        .as("seed=%d, values=%s, root of %s / %d", seed, values, spread, divisor)
                        .isTrue();
            }
        }
    }
}
