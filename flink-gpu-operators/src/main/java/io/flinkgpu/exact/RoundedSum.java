package io.flinkgpu.exact;

import org.apache.flink.annotation.Internal;

/**
 * A sum of doubles that is only to be rounded.
 *
 * @param digits of what was finite
 * @param specials infinities and NaN, as {@link BinaryGrid} names them
 */
@Internal
public record RoundedSum(Digits digits, int specials) {

    /**
     * The sum divided by a count, rounded once to the nearest double, ties to even. A sum that is zero is
     * 0.0.
     *
     * @param count positive
     */
    public double dividedBy(long count) {
        if (count <= 0) {
            throw new IllegalArgumentException("a count is positive: count=" + count);
        }
        return switch (specials) {
            case 0 -> digits.dividedBy(count);
            case BinaryGrid.POSITIVE_INFINITY -> Double.POSITIVE_INFINITY;
            case BinaryGrid.NEGATIVE_INFINITY -> Double.NEGATIVE_INFINITY;
            default -> Double.NaN;
        };
    }
}
