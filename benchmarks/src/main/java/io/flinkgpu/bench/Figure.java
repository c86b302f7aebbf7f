package io.flinkgpu.bench;

import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * One measured number.
 *
 * @param axis what was varied, for example {@code "batch"}
 * @param engine what did the work, for example {@code "cpu"} or {@code "kernels"}
 * @param at where on the axes, for example {@code batchBytes=4194304}
 * @param unit of the three values
 * @param median of the runs
 * @param least of the runs
 * @param most of the runs
 * @param runs how many there were, not counting those to warm up
 */
public record Figure(
        String axis,
        String engine,
        Map<String, Long> at,
        String unit,
        double median,
        double least,
        double most,
        int runs) {

    /** The figure of some runs; at least one. */
    static Figure of(
            String axis, String engine, Map<String, Long> at, String unit, double... values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int runs = sorted.length;
        return new Figure(
                axis, engine, at, unit, sorted[runs / 2], sorted[0], sorted[runs - 1], runs);
    }

    @Override
    public String toString() {
        String where =
                at.entrySet().stream()
                        .map(e -> e.getKey() + "=" + e.getValue())
                        .collect(Collectors.joining(" "));
        return String.format(
                Locale.ROOT,
                "%-11s %-56s %-24s %10s (%s - %s) %s",
                axis,
                where,
                engine,
                number(median),
                number(least),
                number(most),
                unit);
    }

    private static String number(double value) {
        double size = Math.abs(value);
        String format = size < 0.1 ? "%.5f" : size < 10 ? "%.3f" : size < 1000 ? "%.1f" : "%,.0f";
        return String.format(Locale.ROOT, format, value);
    }
}
