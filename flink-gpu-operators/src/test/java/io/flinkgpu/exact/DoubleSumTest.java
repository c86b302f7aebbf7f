package io.flinkgpu.exact;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * Covers: DoubleSum, BinaryGrid.
 */
class DoubleSumTest {

    private static final long SEED = Long.getLong("exact.seed", 20_260_101);
    private static final double TINY = Double.MIN_VALUE;
    private static final double TWO_53 = 0x1p53;

    static Stream<Arguments> adversaries() {
        return Stream.of(
                arguments("nothing", new double[] {}),
                arguments("negative zeros", new double[] {-0.0, -0.0}),
                arguments("cancels to tiny", new double[] {1e308, -1e308, 1e-308}),
                arguments("cancels to zero", new double[] {1e308, TINY, -1e308, -TINY}),
                arguments("overflows on the way", new double[] {1e308, 1e308, -1e308, -1e308, 3}),
                arguments("overflows", new double[] {Double.MAX_VALUE, Double.MAX_VALUE}),
                arguments("just infinite", new double[] {Double.MAX_VALUE, Math.ulp(1e308) / 2}),
                arguments(
                        "just finite",
                        new double[] {Double.MAX_VALUE, Math.ulp(Double.MAX_VALUE) / 2, -TINY}),
                arguments(
                        "tie at the greatest",
                        new double[] {Double.MAX_VALUE, Math.ulp(Double.MAX_VALUE) / 2}),
                arguments("least infinite", new double[] {-Double.MAX_VALUE, -Double.MAX_VALUE}),
                arguments("denormals", new double[] {TINY, TINY, TINY, -5 * TINY}),
                arguments("to normal", new double[] {Double.MIN_NORMAL - TINY, TINY}),
                arguments("from normal", new double[] {Double.MIN_NORMAL, -TINY}),
                arguments("tie to even, down", new double[] {TWO_53, 1}),
                arguments("tie to even, up", new double[] {TWO_53 + 2, 1}),
                arguments("above a tie", new double[] {TWO_53, 1, TINY}),
                arguments("below a tie", new double[] {TWO_53 + 2, 1, -TINY}),
                arguments("negative tie", new double[] {-TWO_53 - 2, -1}),
                arguments("above a negative tie", new double[] {-TWO_53 - 2, -1, TINY}),
                arguments("carry through all bits", new double[] {TWO_53 - 1, 1, -TINY}),
                arguments("sign from far below", new double[] {-1, 1, -TINY}));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("adversaries")
    void adversariesAreRoundedOnce(String name, double[] values) {
        assertSum(values, 1, name);
        for (long count : new long[] {2, 3, 7, (1L << 31) - 1, 1L << 31, Long.MAX_VALUE}) {
            assertSum(values, count, name);
        }
    }

    @Test
    void randomSumsAndMeansAreRoundedOnce() {
        for (int run = 0; run < 2_000; run++) {
            long seed = SEED + run;
            Random random = new Random(seed);
            double[] values = randomValues(random, 1 + random.nextInt(12));
            long count = random.nextBoolean() ? values.length : randomCount(random);
            assertSum(values, 1, "seed=" + seed);
            assertSum(values, count, "seed=" + seed);
        }
    }

    @Test
    void aMillionRandomExponents() {
        Random random = new Random(SEED);
        DoubleSum sum = new DoubleSum();
        double[] values = new double[1_000_000];
        for (int i = 0; i < values.length; i++) {
            values[i] = randomFinite(random);
            sum.add(Double.doubleToLongBits(values[i]));
        }
        BigDecimal exact = BigDecimal.ZERO;
        // Neighbours first, so that the decimals stay short.
        Arrays.sort(values);
        for (double value : values) {
            exact = exact.add(new BigDecimal(value));
        }
        assertThat(sum.toDouble()).as("seed=%d", SEED).isEqualTo(exact.doubleValue());
        assertThat(sum.dividedBy(values.length))
                .as("seed=%d", SEED)
                .isEqualTo(Oracle.quotient(exact, values.length));
    }

    @Test
    void anyOrderAndAnyTreeOfMergesGiveTheSameDigits() {
        for (int run = 0; run < 2_000; run++) {
            long seed = SEED + run;
            Random random = new Random(seed);
            double[] values = randomValues(random, 1 + random.nextInt(30));
            DoubleSum expected = sum(values);
            assertThat(mergedInAnyOrder(values, random))
                    .as("seed=%d", seed)
                    .isEqualTo(expected)
                    .hasSameHashCodeAs(expected);
        }
    }

    /** Sums that carry early are the same as those that carry after 2^31 additions. */
    @Test
    void carryingChangesNothing() {
        for (int run = 0; run < 2_000; run++) {
            long seed = SEED + run;
            Random random = new Random(seed);
            DoubleSum early = new DoubleSum(1 + random.nextInt(4));
            DoubleSum late = new DoubleSum();
            for (int i = 0; i < 40; i++) {
                switch (random.nextInt(3)) {
                    case 0 -> {
                        long bits = Double.doubleToLongBits(randomFinite(random));
                        early.add(bits);
                        late.add(bits);
                    }
                    case 1 -> {
                        int bin = random.nextInt(BinaryGrid.VALUE_BINS);
                        long amount = random.nextLong() >> random.nextInt(64);
                        early.addToBin(bin, amount);
                        late.addToBin(bin, amount);
                    }
                    default -> {
                        DoubleSum more = sum(randomValues(random, 3));
                        early.add(more);
                        late.add(more);
                    }
                }
            }
            assertThat(early).as("seed=%d", seed).isEqualTo(late);
        }
    }

    @Test
    void binsTakeAnyAmount() {
        DoubleSum sum = new DoubleSum();
        for (int i = 0; i < 1000; i++) {
            sum.addToBin(40, Long.MAX_VALUE);
            sum.addToBin(40, Long.MIN_VALUE);
        }
        DoubleSum expected = new DoubleSum();
        expected.addToBin(40, -1000);
        assertThat(sum).isEqualTo(expected);
    }

    /** 2^62 values, by doubling. */
    @Test
    void roomForTheGreatestCount() {
        DoubleSum greatest = sum(Double.MAX_VALUE, -Double.MIN_VALUE);
        for (int i = 0; i < 62; i++) {
            greatest.add(greatest);
        }
        assertThat(greatest.toDouble()).isEqualTo(Double.POSITIVE_INFINITY);
        assertThat(greatest.dividedBy(1L << 62)).isEqualTo(Double.MAX_VALUE);
        greatest.add(sum(Double.MAX_VALUE));
        DoubleSum less = new DoubleSum();
        for (int i = 0; i < 62; i++) {
            less.add(sum(-Double.MAX_VALUE));
            less.add(less.copy());
        }
        assertThat(less.toDouble()).isEqualTo(Double.NEGATIVE_INFINITY);
    }

    @Test
    void specials() {
        double inf = Double.POSITIVE_INFINITY;
        assertThat(sum(1, inf).toDouble()).isEqualTo(inf);
        assertThat(sum(-inf, 1e308).dividedBy(3)).isEqualTo(-inf);
        assertThat(sum(inf, -inf).toDouble()).isNaN();
        assertThat(sum(1, Double.NaN).dividedBy(2)).isNaN();
        DoubleSum merged = sum(inf);
        merged.add(sum(Double.NaN));
        assertThat(merged.specials()).isEqualTo(BinaryGrid.NAN | BinaryGrid.POSITIVE_INFINITY);
        assertThatThrownBy(() -> merged.addSpecials(8))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aCountIsPositive() {
        assertThatThrownBy(() -> sum(1).dividedBy(0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a count is positive: count=0");
    }

    @Test
    void copiesAreApart() {
        DoubleSum sum = sum(1, 2);
        DoubleSum copy = sum.copy();
        copy.add(Double.doubleToLongBits(4));
        assertThat(sum.toDouble()).isEqualTo(3);
        assertThat(copy.toDouble()).isEqualTo(7);
    }

    private static void assertSum(double[] values, long count, String name) {
        BigDecimal exact =
                DoubleStream.of(values)
                        .mapToObj(BigDecimal::new)
                        .reduce(BigDecimal.ZERO, BigDecimal::add);
        assertThat(sum(values).dividedBy(count))
                .as("%s, count=%d", name, count)
                .isEqualTo(Oracle.quotient(exact, count));
    }

    private static DoubleSum sum(double... values) {
        DoubleSum sum = new DoubleSum();
        for (double value : values) {
            sum.add(Double.doubleToLongBits(value));
        }
        return sum;
    }

    private static DoubleSum mergedInAnyOrder(double[] values, Random random) {
        List<DoubleSum> sums = new ArrayList<>();
        for (double value : values) {
            sums.add(sum(value));
        }
        Collections.shuffle(sums, random);
        while (sums.size() > 1) {
            DoubleSum from = sums.remove(random.nextInt(sums.size()));
            sums.get(random.nextInt(sums.size())).add(from);
        }
        return sums.get(0);
    }

    private static double[] randomValues(Random random, int size) {
        double[] values = new double[size];
        double scale = Math.scalb(1.0, random.nextInt(2000) - 1000);
        int kind = random.nextInt(4);
        for (int i = 0; i < size; i++) {
            values[i] =
                    switch (kind) {
                        case 0 -> randomFinite(random);
                        case 1 -> random.nextGaussian() * scale;
                        case 2 -> (random.nextInt(9) - 4) * scale;
                        default ->
                                i > 0 && random.nextBoolean()
                                        ? -values[random.nextInt(i)]
                                        : randomFinite(random);
                    };
        }
        return values;
    }

    private static double randomFinite(Random random) {
        double value = Double.longBitsToDouble(random.nextLong());
        return Double.isFinite(value) ? value : randomFinite(random);
    }

    private static long randomCount(Random random) {
        return (random.nextLong() >>> 1 >>> random.nextInt(63)) | 1;
    }
}
