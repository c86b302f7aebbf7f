package io.flinkgpu.testkit;

import io.flinkgpu.api.ValueSpec;
import io.flinkgpu.backend.plan.GroupedBatch;
import io.flinkgpu.exact.BinaryGrid;
import io.flinkgpu.exact.DoubleOrder;
import io.flinkgpu.exact.DoubleSum;
import io.flinkgpu.words.Term;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Objects;

import static org.assertj.core.api.Assertions.assertThat;

/** What is kept of a value of a group; what is not needed keeps its initial state. */
final class AggregationValue {

    /** Exactly the unit of the grid's bin 0. */
    private static final BigDecimal LEAST_DOUBLE = new BigDecimal(Double.MIN_VALUE);

    long count;
    Number min;
    Number max;
    BigDecimal sum = BigDecimal.ZERO;
    BigDecimal squares = BigDecimal.ZERO;
    int specials;

    /** The sum as the operators merge it. Not filled in the right answer. */
    final DoubleSum merged = new DoubleSum();

    /** What a backend gives for a value of a group. */
    static AggregationValue read(ValueSpec spec, GroupedBatch batch, int value, int group) {
        boolean floating = spec.type().isFloating();
        AggregationValue read = new AggregationValue();
        read.count = word(batch, value, Term.COUNT, 0, group);
        if (spec.needsMinMax() && read.count > 0) {
            read.min = number(word(batch, value, Term.MIN, 0, group), floating);
            read.max = number(word(batch, value, Term.MAX, 0, group), floating);
        }
        read.specials = (int) word(batch, value, Term.SPECIALS, 0, group);
        BigInteger units = BigInteger.ZERO;
        for (int bin = 0; bin < batch.layout().bins(value); bin++) {
            int shift = BinaryGrid.BIN_BITS * (batch.firstBin(value) + bin);
            units =
                    units.add(
                            BigInteger.valueOf(word(batch, value, Term.SUM, bin, group))
                                    .shiftLeft(shift));
            if (floating) {
                read.merged.addToBin(
                        batch.firstBin(value) + bin, word(batch, value, Term.SUM, bin, group));
            }
        }
        read.merged.addSpecials(read.specials);
        if (!spec.needsSum()) {
            assertThat(batch.layout().bins(value)).as("bins of value %d", value).isZero();
        }
        BigDecimal sum = new BigDecimal(units);
        read.sum = floating && units.signum() != 0 ? sum.multiply(LEAST_DOUBLE) : sum;
        BigInteger squareUnits = BigInteger.ZERO;
        for (int bin = 0; bin < batch.layout().words(value, Term.SQUARES); bin++) {
            int shift = BinaryGrid.BIN_BITS * (2 * batch.firstBin(value) + bin);
            squareUnits =
                    squareUnits.add(
                            BigInteger.valueOf(word(batch, value, Term.SQUARES, bin, group))
                                    .shiftLeft(shift));
        }
        BigDecimal squares = new BigDecimal(squareUnits);
        read.squares =
                floating && squareUnits.signum() != 0
                        ? squares.multiply(LEAST_DOUBLE).multiply(LEAST_DOUBLE)
                        : squares;
        return read;
    }

    /** A word of a term; that of no values where the term is not kept. */
    private static long word(GroupedBatch batch, int value, Term term, int index, int group) {
        return batch.layout().has(value, term)
                ? batch.word(batch.layout().first(value, term) + index, group)
                : term.initial();
    }

    private static Number number(long word, boolean floating) {
        return floating ? Double.longBitsToDouble(DoubleOrder.toBits(word)) : (Number) word;
    }

    void add(ValueSpec spec, Number number) {
        AggregationValue one = new AggregationValue();
        one.count = 1;
        if (spec.needsMinMax()) {
            one.min = number;
            one.max = number;
        }
        if (spec.needsSum() && number instanceof Double d && !Double.isFinite(d)) {
            one.specials =
                    d.isNaN()
                            ? BinaryGrid.NAN
                            : d > 0 ? BinaryGrid.POSITIVE_INFINITY : BinaryGrid.NEGATIVE_INFINITY;
        } else if (spec.needsSum()) {
            one.sum = exact(number);
            one.squares = spec.needsSquares() ? one.sum.multiply(one.sum) : BigDecimal.ZERO;
        }
        merge(one);
    }

    void merge(AggregationValue other) {
        count += other.count;
        specials |= other.specials;
        sum = sum.add(other.sum);
        squares = squares.add(other.squares);
        merged.add(other.merged);
        if (other.min != null) {
            min = min == null || compare(other.min, min) < 0 ? other.min : min;
            max = max == null || compare(other.max, max) > 0 ? other.max : max;
        }
    }

    Double rounded() {
        return switch (specials) {
            case 0 -> sum.doubleValue();
            case BinaryGrid.POSITIVE_INFINITY -> Double.POSITIVE_INFINITY;
            case BinaryGrid.NEGATIVE_INFINITY -> Double.NEGATIVE_INFINITY;
            default -> Double.NaN;
        };
    }

    boolean equalTo(AggregationValue other) {
        return count == other.count
                && specials == other.specials
                && sum.compareTo(other.sum) == 0
                && squares.compareTo(other.squares) == 0
                && Objects.equals(min, other.min)
                && Objects.equals(max, other.max);
    }

    @Override
    public String toString() {
        return "count %d, min %s, max %s, sum %s, squares %s, specials %d"
                .formatted(count, min, max, sum, squares, specials);
    }

    private static BigDecimal exact(Number number) {
        return number instanceof Double d
                ? new BigDecimal(d)
                : BigDecimal.valueOf(number.longValue());
    }

    private static int compare(Number a, Number b) {
        return a instanceof Double
                ? Double.compare((Double) a, (Double) b)
                : Long.compare((Long) a, (Long) b);
    }
}
