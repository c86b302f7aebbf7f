package io.flinkgpu.state;

import io.flinkgpu.api.Aggregate;
import io.flinkgpu.api.ColumnType;
import io.flinkgpu.api.ValueSpec;
import io.flinkgpu.exact.BinaryGrid;
import io.flinkgpu.exact.Digits;
import io.flinkgpu.exact.DoubleOrder;
import io.flinkgpu.exact.LongSum;
import io.flinkgpu.exact.SquareSum;

import org.apache.flink.core.memory.DataOutputSerializer;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;

import static io.flinkgpu.api.Aggregate.COUNT;
import static io.flinkgpu.api.Aggregate.MAX;
import static io.flinkgpu.api.Aggregate.MEAN;
import static io.flinkgpu.api.Aggregate.MIN;
import static io.flinkgpu.api.Aggregate.POPULATION_STANDARD_DEVIATION;
import static io.flinkgpu.api.Aggregate.POPULATION_VARIANCE;
import static io.flinkgpu.api.Aggregate.STANDARD_DEVIATION;
import static io.flinkgpu.api.Aggregate.SUM;
import static io.flinkgpu.api.Aggregate.VARIANCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Covers: Partial, Digits, ColumnPartial, ColumnResult, KeptColumn.
 */
class PartialTest {

    private static final long SEED = Long.getLong("exact.seed", 20_260_101);
    private static final Aggregate[] ALL = Aggregate.values();

    @Test
    void meansOfDecimalsAreRoundedHalfUp() {
        Random random = new Random(SEED);
        for (int i = 0; i < 100_000; i++) {
            int scale = random.nextInt(19);
            ValueSpec spec = spec("m", ColumnType.decimal(18, scale), MEAN);
            long sum = random.nextLong() >> random.nextInt(Long.SIZE);
            long high = i % 8 == 0 ? random.nextLong() >> random.nextInt(Long.SIZE) : sum >> 63;
            // Small ones, by which many sums have ties, and any others.
            long count = 1 + (random.nextLong() >>> 1 + random.nextInt(Long.SIZE - 2));
            LongSum integers = new LongSum(high, sum);

            Object mean = ColumnResult.of(MEAN, spec, 0, count, 0, 0, integers, null, null);

            assertThat(mean)
                    .as("seed %d: (%d * 2^64 + %d) / %d, scale %d", SEED, high, sum, count, scale)
                    .isEqualTo(
                            new BigDecimal(integers.toBigInteger(), scale)
                                    .divide(
                                            BigDecimal.valueOf(count),
                                            Math.max(scale, 6),
                                            RoundingMode.HALF_UP));
        }
    }

    @Test
    void resultsHaveTheTypesOfTheTable() {
        List<ValueSpec> specs =
                List.of(
                        spec("i", ColumnType.INT, ALL),
                        spec("l", ColumnType.LONG, ALL),
                        spec("f", ColumnType.FLOAT, ALL),
                        spec("d", ColumnType.DOUBLE, ALL),
                        spec("m", ColumnType.decimal(9, 2), ALL));
        Partial partial = new Partial(specs);
        for (long integer : new long[] {1, 2, -8}) {
            partial.add(0, integer);
            partial.add(1, integer);
            partial.add(2, Double.doubleToLongBits(integer));
            partial.add(3, Double.doubleToLongBits(integer));
            partial.add(4, integer);
        }
        double mean = -5 / 3.0;
        double variance = 182 / 6.0;
        double deviation = Math.sqrt(variance);
        double ofPopulation = 182 / 9.0;
        // Not the root of the double above: that would be rounded twice.
        double root = 4.4969125210773475;
        assertThat(partial.results(specs))
                .containsExactly(
                        -8,
                        mean,
                        2,
                        -5L,
                        3L,
                        variance,
                        deviation,
                        ofPopulation,
                        root,
                        -8L,
                        mean,
                        2L,
                        -5L,
                        3L,
                        variance,
                        deviation,
                        ofPopulation,
                        root,
                        -8f,
                        mean,
                        2f,
                        -5.0,
                        3L,
                        variance,
                        deviation,
                        ofPopulation,
                        root,
                        -8.0,
                        mean,
                        2.0,
                        -5.0,
                        3L,
                        variance,
                        deviation,
                        ofPopulation,
                        root,
                        new BigDecimal("-0.08"),
                        new BigDecimal("-0.016667"),
                        new BigDecimal("0.02"),
                        new BigDecimal("-0.05"),
                        3L,
                        182 / 6e4,
                        0.05507570547286102,
                        182 / 9e4,
                        0.044969125210773474);
    }

    @Test
    void ofNoValuesOnlyTheCountIsThere() {
        List<ValueSpec> specs =
                List.of(
                        spec("a", ColumnType.DOUBLE, ALL),
                        spec("b", ColumnType.decimal(4, 1), MEAN, COUNT));
        assertThat(new Partial(specs).results(specs))
                .containsExactly(null, null, null, null, 0L, null, null, null, null, null, 0L);
    }

    @Test
    void extremesHaveTheOrderOfDoubleCompare() {
        List<ValueSpec> specs = List.of(spec("", ColumnType.DOUBLE, MIN, MAX, SUM, MEAN));
        assertThat(results(specs, 0.0, -0.0)).containsExactly(-0.0, 0.0, 0.0, 0.0);
        assertThat(results(specs, -0.0)).containsExactly(-0.0, -0.0, 0.0, 0.0);
        assertThat(results(specs, 1, Double.NaN, Double.POSITIVE_INFINITY))
                .containsExactly(1.0, Double.NaN, Double.NaN, Double.NaN);
        double inf = Double.POSITIVE_INFINITY;
        assertThat(results(specs, -inf, 3)).containsExactly(-inf, 3.0, -inf, -inf);
    }

    @Test
    void theSpreadOfOneValueOrOfSomeThatAreNotFinite() {
        List<ValueSpec> specs =
                List.of(
                        spec(
                                "",
                                ColumnType.DOUBLE,
                                VARIANCE,
                                STANDARD_DEVIATION,
                                POPULATION_VARIANCE,
                                POPULATION_STANDARD_DEVIATION));
        assertThat(results(specs, 1e300)).containsExactly(null, null, 0.0, 0.0);
        assertThat(results(specs, 1e300, 1e300)).containsExactly(0.0, 0.0, 0.0, 0.0);
        double nan = Double.NaN;
        assertThat(results(specs, nan)).containsExactly(null, null, nan, nan);
        assertThat(results(specs, 1, nan)).containsExactly(nan, nan, nan, nan);
        assertThat(results(specs, 1, 2, Double.NEGATIVE_INFINITY))
                .containsExactly(nan, nan, nan, nan);
    }

    @Test
    void aSumOfIntegersThatDoesNotFitIsAnError() {
        List<ValueSpec> specs = List.of(spec("price", ColumnType.LONG, SUM));
        Partial partial = new Partial(specs);
        partial.add(0, Long.MAX_VALUE);
        partial.add(0, 1);
        assertThatThrownBy(() -> partial.results(specs))
                .isInstanceOf(ArithmeticException.class)
                .hasMessage(
                        "a sum of integers must fit a long: column='price';"
                                + " declare the value as decimal(18, 0) to get a BigDecimal,"
                                + " or use mean()");
        // The mean of the same values is known.
        assertThat(partial.results(List.of(spec("price", ColumnType.LONG, MEAN))))
                .containsExactly(0x1p62);
        partial.add(0, -1);
        assertThat(partial.results(specs)).containsExactly(Long.MAX_VALUE);
    }

    @Test
    void decimalSumsCanBeWiderThanALong() {
        ColumnType type = ColumnType.decimal(18, 18);
        List<ValueSpec> specs = List.of(spec("", type, SUM, MEAN));
        Partial partial = new Partial(specs);
        long greatest = 999_999_999_999_999_999L;
        BigDecimal sum = BigDecimal.ZERO;
        for (int i = 0; i < 20; i++) {
            partial.add(0, greatest);
            sum = sum.add(BigDecimal.valueOf(greatest, 18));
        }
        assertThat(partial.results(specs)).containsExactly(sum, BigDecimal.valueOf(greatest, 18));
    }

    /** Values one by one, in pieces as a backend gives them, merged in any order: the same bytes. */
    @Test
    void anyWayToTheSameRowsGivesTheSameBytes() throws IOException {
        List<ValueSpec> specs =
                List.of(
                        spec("d", ColumnType.DOUBLE, VARIANCE, MAX),
                        spec("l", ColumnType.LONG, POPULATION_STANDARD_DEVIATION, MIN));
        for (int run = 0; run < 1000; run++) {
            long seed = SEED + run;
            Random random = new Random(seed);
            Partial whole = new Partial(specs);
            List<Partial> pieces = new ArrayList<>();
            for (int left = random.nextInt(20); left >= 0; left--) {
                double value = random.nextGaussian() * Math.scalb(1.0, random.nextInt(99));
                long bits =
                        Double.doubleToLongBits(
                                random.nextInt(50) == 0 ? 1 / (value - value) : value);
                long integer = random.nextLong() >> random.nextInt(64);
                whole.add(0, bits);
                whole.add(1, integer);
                pieces.add(piece(specs, bits, integer, random.nextBoolean()));
            }
            Collections.shuffle(pieces, random);
            while (pieces.size() > 1) {
                Partial from = pieces.remove(random.nextInt(pieces.size()));
                pieces.get(random.nextInt(pieces.size())).merge(from);
            }
            assertThat(bytes(specs, pieces.get(0)))
                    .as("seed=%d", seed)
                    .isEqualTo(bytes(specs, whole));
            assertThat(pieces.get(0)).as("seed=%d", seed).isEqualTo(whole);
        }
    }

    @Test
    void copiesAreApart() {
        List<ValueSpec> specs =
                List.of(spec("d", ColumnType.DOUBLE, ALL), spec("l", ColumnType.LONG, ALL));
        Partial partial = piece(specs, Double.doubleToLongBits(1.5), 7, false);
        Partial same = piece(specs, Double.doubleToLongBits(1.5), 7, false);
        Partial copy = partial.copy();
        copy.add(0, Double.doubleToLongBits(2.5));
        copy.add(1, -9);
        assertThat(partial).isEqualTo(same);
        assertThat(copy).isNotEqualTo(same);
    }

    /** As when a savepoint brings a partial that keeps less, or more, than is asked now. */
    @Test
    void partsThatOneSideLacksAreDropped() {
        List<ValueSpec> mean = List.of(spec("", ColumnType.DOUBLE, MEAN));
        List<ValueSpec> all = List.of(spec("x", ColumnType.DOUBLE, ALL));
        Partial kept = new Partial(all);
        kept.add(0, Double.doubleToLongBits(1));
        Partial less = new Partial(mean);
        less.add(0, Double.doubleToLongBits(2));
        kept.merge(less);
        assertThat(kept.results(mean)).containsExactly(1.5);
        assertThatThrownBy(() -> kept.results(all))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("column=0, DOUBLE: count, sum, min and max, squares");
    }

    @Test
    void otherColumnsAreRefused() {
        Partial one = new Partial(List.of(spec("", ColumnType.LONG, SUM)));
        Partial floating = new Partial(List.of(spec("", ColumnType.FLOAT, SUM)));
        Partial two =
                new Partial(
                        List.of(spec("a", ColumnType.LONG, SUM), spec("b", ColumnType.LONG, SUM)));
        assertThatThrownBy(() -> one.merge(floating)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> one.merge(two)).isInstanceOf(IllegalArgumentException.class);
    }

    static ValueSpec spec(String name, ColumnType type, Aggregate... aggregates) {
        return new ValueSpec(name, type, Arrays.asList(aggregates));
    }

    private static Object[] results(List<ValueSpec> specs, double... values) {
        Partial partial = new Partial(specs);
        for (double value : values) {
            partial.add(0, Double.doubleToLongBits(value));
        }
        return partial.results(specs);
    }

    private static Partial piece(List<ValueSpec> specs, long bits, long integer, boolean inBins) {
        Partial piece = new Partial(specs);
        if (!inBins) {
            piece.add(0, bits);
            piece.add(1, integer);
            return piece;
        }
        long ordered = DoubleOrder.toOrdered(bits);
        piece.column(0).addExtremes(ordered, ordered);
        piece.column(0).addCount(1);
        int exponent = BinaryGrid.exponent(bits);
        if (BinaryGrid.isFinite(exponent)) {
            int shift = BinaryGrid.position(exponent) & 31;
            long magnitude = BinaryGrid.magnitude(bits, exponent);
            long signed = bits < 0 ? -magnitude : magnitude;
            int bin = BinaryGrid.firstBin(exponent);
            piece.column(0).addFloatingBin(bin, (signed & 0xffff_ffffL) << shift);
            piece.column(0).addFloatingBin(bin + 1, (signed >> 32) << shift);
        } else {
            piece.column(0).addSpecials(BinaryGrid.special(bits));
        }
        piece.column(1).addExtremes(integer, integer);
        piece.column(1).addCount(1);
        piece.column(1).addInteger(integer >> 63, integer);
        SquareSum ofDouble = new SquareSum();
        ofDouble.addDouble(bits);
        SquareSum ofInteger = new SquareSum();
        ofInteger.addInteger(integer);
        addSquares(piece.column(0), ofDouble.digits());
        addSquares(piece.column(1), ofInteger.digits());
        return piece;
    }

    private static void addSquares(ColumnPartial column, Digits squares) {
        for (int i = 0; i < squares.size(); i++) {
            column.addSquareBin(squares.firstBin() + i, squares.digit(i));
        }
    }

    private static byte[] bytes(List<ValueSpec> specs, Partial partial) throws IOException {
        DataOutputSerializer target = new DataOutputSerializer(64);
        new PartialSerializer(specs).serialize(partial, target);
        return target.getCopyOfBuffer();
    }
}
