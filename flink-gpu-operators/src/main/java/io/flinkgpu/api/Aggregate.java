package io.flinkgpu.api;

import org.apache.flink.annotation.PublicEvolving;

/**
 * What is computed of a column's values; nulls are skipped. Of no values, {@link #COUNT} is 0 and the
 * others are null; of one value, {@link #VARIANCE} and {@link #STANDARD_DEVIATION} are null as well.
 *
 * <table>
 * <caption>Type of the result</caption>
 * <tr><th>value</th><th>MIN, MAX</th><th>SUM</th><th>MEAN</th></tr>
 * <tr><td>int</td><td>Integer</td><td>Long</td><td>Double</td></tr>
 * <tr><td>long</td><td>Long</td><td>Long</td><td>Double</td></tr>
 * <tr><td>float</td><td>Float</td><td>Double</td><td>Double</td></tr>
 * <tr><td>double</td><td>Double</td><td>Double</td><td>Double</td></tr>
 * <tr><td>decimal(p, s)</td><td>BigDecimal, scale s</td><td>BigDecimal, scale s</td>
 * <td>BigDecimal, scale max(s, 6), half up</td></tr>
 * </table>
 *
 * <p>MIN and MAX have the order of {@link Double#compare}: -0.0 is less than 0.0, and NaN is the
 * greatest. SUM and MEAN are computed without rounding and rounded once, half even, to the type of the
 * result, so they do not depend on the order of the values; a sum that is zero is 0.0. With a NaN, or
 * with both infinities, they are NaN. A SUM of integers that does not fit a long is an error.
 *
 * <p>The variances and standard deviations are Doubles, of decimals too. They are those of the exact
 * numbers, rounded once, half even, likewise: of n numbers x the variance is {@code (n * sum(x^2) -
 * sum(x)^2) / (n * (n - 1))}, as a fraction of integers, and the standard deviation its root. No finite
 * number is too great or too small for them; a result that does not fit a double is infinite, and equal
 * numbers have exactly 0.0. With a NaN or an infinity they are NaN.
 */
@PublicEvolving
public enum Aggregate implements ColumnAggregate {
    /** The least value. */
    MIN,
    /** The sum, divided by the count. */
    MEAN,
    /** The greatest value. */
    MAX,
    /** The sum of the values. */
    SUM,
    /** How many values there are that are not null. */
    COUNT,
    /** Of what the values are a sample of: the divisor is {@code n - 1}. */
    VARIANCE,
    /** The square root of {@link #VARIANCE}. */
    STANDARD_DEVIATION,
    /** Of the values themselves: the divisor is {@code n}. */
    POPULATION_VARIANCE,
    /** The square root of {@link #POPULATION_VARIANCE}. */
    POPULATION_STANDARD_DEVIATION;

    /** Whether it is made of the sum of squares, the sum and the count. */
    boolean isOfSquares() {
        return switch (this) {
            case MIN, MEAN, MAX, SUM, COUNT -> false;
            case VARIANCE, STANDARD_DEVIATION, POPULATION_VARIANCE, POPULATION_STANDARD_DEVIATION ->
                    true;
        };
    }
}
