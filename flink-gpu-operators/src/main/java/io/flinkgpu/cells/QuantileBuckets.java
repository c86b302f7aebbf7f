package io.flinkgpu.cells;

import io.flinkgpu.api.Errors;

import org.apache.flink.annotation.Internal;

/**
 * Which bucket of a {@link QuantileSketch} a double is in: buckets have the order of the values, that of
 * {@link Double#compare}, but that -0.0 is 0.0. All of a bucket differ by at most an error from one double.
 * Zero, the infinities and NaN have buckets of their own. Functions of {@link StrictMath}, so all machines
 * agree. Immutable.
 */
@Internal
public final class QuantileBuckets {

    private static final int ZERO = 0;

    /** Of NaN; infinity's is the one before, and minus infinity's is minus that. */
    private static final int NAN = Integer.MAX_VALUE;

    private static final int INFINITY = NAN - 1;

    /** What logarithms are rounded by is less than this part of the error. */
    private static final double MARGIN = 1e-6;

    private static final double LEAST_ERROR = 1e-4;
    private static final double GREATEST_ERROR = 0.5;

    /** The logarithm of the quotient of a bucket's greatest value and its least. */
    private final double width;

    /** A bucket's value over its greatest. */
    private final double middle;

    /** The index of the least positive double's bucket, which has number 1. */
    private final int first;

    /**
     * @param error relative, 0.0001 to 0.5
     */
    public QuantileBuckets(double error) {
        double kept = check(error) * (1 - MARGIN);
        width = StrictMath.log1p(kept) - StrictMath.log1p(-kept);
        middle = 1 - kept;
        first = index(Double.MIN_VALUE);
    }

    /** The same error. */
    static double check(double error) {
        if (!(error >= LEAST_ERROR && error <= GREATEST_ERROR)) {
            throw Errors.argument(
                    "the relative error of a quantile is 0.0001 to 0.5: error=%s; 0.01 is one percent",
                    error);
        }
        return error;
    }

    private int index(double magnitude) {
        return (int) StrictMath.ceil(StrictMath.log(magnitude) / width);
    }

    /** The bucket of a double. */
    public int bucket(double value) {
        if (Double.isNaN(value)) {
            return NAN;
        }
        if (value == 0) {
            return ZERO;
        }
        double magnitude = Math.abs(value);
        int bucket = Double.isInfinite(value) ? INFINITY : index(magnitude) - first + 1;
        return value < 0 ? -bucket : bucket;
    }

    /** The double that stands for all of a bucket. */
    public double value(int bucket) {
        if (bucket == NAN) {
            return Double.NaN;
        }
        if (bucket == ZERO) {
            return 0.0;
        }
        int magnitude = Math.abs(bucket);
        double value =
                magnitude == INFINITY
                        ? Double.POSITIVE_INFINITY
                        : finite((double) (magnitude - 1) + first);
        return bucket < 0 ? -value : value;
    }

    private double finite(double index) {
        // In two steps, as the greatest value of the last bucket may be no double, nor that of the
        // first.
        double half = StrictMath.exp(0.5 * width * index);
        double value = half * middle * half;
        return Math.min(Math.max(value, Double.MIN_VALUE), Double.MAX_VALUE);
    }
}
