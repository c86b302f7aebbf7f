package io.flinkgpu.state;

import io.flinkgpu.api.Aggregate;
import io.flinkgpu.api.ValueSpec;
import io.flinkgpu.cells.OrderedNumbers;
import io.flinkgpu.exact.Digits;
import io.flinkgpu.exact.LongSum;
import io.flinkgpu.exact.Moments;
import io.flinkgpu.exact.RoundedSum;

import org.apache.flink.annotation.Internal;

import java.math.BigDecimal;
import java.math.RoundingMode;

/** Makes the results of a column of what is kept of its values. */
@Internal
public final class ColumnResult {

    private static final int DECIMAL = 10;

    private ColumnResult() {}

    /**
     * A result, of the type that {@link Aggregate} lists; null of no values, unless it is their count.
     *
     * @param column in messages
     * @param count of the values
     * @param min the least value, if that is asked for
     * @param max the greatest, likewise
     * @param integers the sum, if that or the mean of integers is asked for
     * @param doubles likewise of doubles
     * @param squares the sum of squares, if a variance is asked for
     * @throws ArithmeticException if a sum of integers does not fit a long, with the column's name, the
     *     sum and the remedy
     */
    public static Object of(
            Aggregate aggregate,
            ValueSpec spec,
            int column,
            long count,
            long min,
            long max,
            LongSum integers,
            RoundedSum doubles,
            Digits squares) {
        if (count == 0 && aggregate != Aggregate.COUNT) {
            return null;
        }
        return switch (aggregate) {
            case COUNT -> count;
            case MIN -> OrderedNumbers.value(min, spec.type());
            case MAX -> OrderedNumbers.value(max, spec.type());
            case SUM -> sum(spec, column, integers, doubles);
            case MEAN -> mean(spec, count, integers, doubles);
            case VARIANCE, STANDARD_DEVIATION ->
                    count == 1 ? null : spread(aggregate, spec, count, integers, doubles, squares);
            case POPULATION_VARIANCE, POPULATION_STANDARD_DEVIATION ->
                    spread(aggregate, spec, count, integers, doubles, squares);
        };
    }

    private static double spread(
            Aggregate aggregate,
            ValueSpec spec,
            long count,
            LongSum integers,
            RoundedSum doubles,
            Digits squares) {
        boolean floating = spec.type().isFloating();
        if (floating && doubles.specials() != 0) {
            return Double.NaN;
        }
        Moments moments =
                floating
                        ? Moments.ofDoubles(count, doubles.digits(), squares)
                        : Moments.ofIntegers(count, integers, squares, spec.type().scale());
        boolean ofSample =
                aggregate == Aggregate.VARIANCE || aggregate == Aggregate.STANDARD_DEVIATION;
        return aggregate == Aggregate.VARIANCE || aggregate == Aggregate.POPULATION_VARIANCE
                ? moments.variance(ofSample)
                : moments.standardDeviation(ofSample);
    }

    private static IllegalArgumentException refused(ValueSpec spec) {
        return spec.type().refusedBy("an aggregate");
    }

    private static Object sum(ValueSpec spec, int column, LongSum integers, RoundedSum doubles) {
        return switch (spec.type().kind()) {
            case FLOAT, DOUBLE -> doubles.dividedBy(1);
            case DECIMAL -> decimalSum(spec, integers);
            case INT, LONG -> {
                if (!integers.fitsLong()) {
                    throw new ArithmeticException(
                            "a sum of integers must fit a long: "
                                    + spec.label(column)
                                    + "; declare the value as decimal(18, 0) to get a BigDecimal,"
                                    + " or use mean()");
                }
                yield integers.low();
            }
            case TEXT, BYTES, BOOLEAN, TIMESTAMP, LIST, VECTOR -> throw refused(spec);
        };
    }

    private static Object mean(ValueSpec spec, long count, LongSum integers, RoundedSum doubles) {
        return switch (spec.type().kind()) {
            case FLOAT, DOUBLE -> doubles.dividedBy(count);
            case INT, LONG -> integers.dividedBy(count);
            case DECIMAL -> decimalMean(spec, count, integers);
            case TEXT, BYTES, BOOLEAN, TIMESTAMP, LIST, VECTOR -> throw refused(spec);
        };
    }

    private static BigDecimal decimalMean(ValueSpec spec, long count, LongSum integers) {
        int scale = spec.resultScale(Aggregate.MEAN);
        long factor = 1;
        for (int digits = spec.type().scale(); digits < scale; digits++) {
            factor *= DECIMAL;
        }
        long most = Long.MAX_VALUE / factor;
        if (integers.fitsLong() && integers.low() <= most && integers.low() >= -most) {
            return BigDecimal.valueOf(roundedHalfUp(factor * integers.low(), count), scale);
        }
        return decimalSum(spec, integers)
                .divide(BigDecimal.valueOf(count), scale, RoundingMode.HALF_UP);
    }

    /** A quotient, rounded to the nearest integer, ties away from 0; the divisor is positive. */
    private static long roundedHalfUp(long number, long divisor) {
        long quotient = number / divisor;
        long rest = Math.abs(number % divisor);
        return rest >= divisor - rest ? quotient + (number >> Long.SIZE - 1 | 1) : quotient;
    }

    private static BigDecimal decimalSum(ValueSpec spec, LongSum integers) {
        return integers.fitsLong()
                ? BigDecimal.valueOf(integers.low(), spec.type().scale())
                : new BigDecimal(integers.toBigInteger(), spec.type().scale());
    }
}
