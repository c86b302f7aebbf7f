package io.flinkgpu.api;

import org.apache.flink.annotation.PublicEvolving;

/**
 * What is computed of a column's values; nulls are skipped. Of no values, {@link #COUNT} is 0 and the
 * others are null.
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
 */
@PublicEvolving
public enum Aggregate implements ColumnAggregate {
    MIN,
    MEAN,
    MAX,
    SUM,
    COUNT
}
