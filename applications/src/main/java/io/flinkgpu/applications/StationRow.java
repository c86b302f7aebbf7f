package io.flinkgpu.applications;

import io.flinkgpu.api.AggregateValues;
import io.flinkgpu.api.WindowResult;

import java.math.BigDecimal;
import java.math.BigInteger;

/** The temperatures of a station, in tenths of a degree. */
public record StationRow(String station, long min, long mean, long max) {

    /**
     * Of the results {@code min, max, sum, count} of a decimal with one digit after the point; null of
     * a station all of whose temperatures are empty.
     */
    static StationRow of(WindowResult<String> result) {
        AggregateValues values = result.values();
        if (values.getLong(3) == 0) {
            return null;
        }
        return new StationRow(
                result.key(),
                tenths(values.getDecimal(0)).longValueExact(),
                mean(tenths(values.getDecimal(2)), values.getLong(3)),
                tenths(values.getDecimal(1)).longValueExact());
    }

    /** Half up: floor((2 sum + count) / (2 count)). */
    private static long mean(BigInteger sum, long count) {
        BigInteger twice = BigInteger.valueOf(count).shiftLeft(1);
        BigInteger[] parts =
                sum.shiftLeft(1).add(BigInteger.valueOf(count)).divideAndRemainder(twice);
        BigInteger floor = parts[1].signum() < 0 ? parts[0].subtract(BigInteger.ONE) : parts[0];
        return floor.longValueExact();
    }

    private static BigInteger tenths(BigDecimal value) {
        return value.setScale(1).unscaledValue();
    }

    /** Appends {@code name=min/mean/max}. */
    void appendTo(StringBuilder text) {
        text.append(station).append('=');
        append(min, text);
        append(mean, text.append('/'));
        append(max, text.append('/'));
    }

    private static void append(long tenths, StringBuilder text) {
        if (tenths < 0) {
            text.append('-');
        }
        long absolute = Math.abs(tenths);
        text.append(absolute / 10).append('.').append(absolute % 10);
    }
}
