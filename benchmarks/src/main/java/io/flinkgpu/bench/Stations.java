package io.flinkgpu.bench;

import org.apache.flink.api.java.tuple.Tuple4;

import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Extremes of each station, in tenths, and its mean.
 *
 * @param of by name: minimum, maximum, mean
 */
record Stations(Map<String, double[]> of) {

    private static final double MEAN_TOLERANCE = 1e-5;

    /** {@code Abha=-23.0/18.0/59.2}, and what comes behind it. */
    private static final Pattern PRINTED =
            Pattern.compile("([^={]+)=(-?\\d+\\.\\d)/(-?\\d+\\.\\d)/(-?\\d+\\.\\d)(?:, |})");

    /** Results of a job. */
    static Stations of(List<Tuple4<String, Long, Long, BigDecimal>> rows) {
        Map<String, double[]> of = new TreeMap<>();
        rows.forEach(row -> of.put(row.f0, new double[] {row.f1, row.f2, row.f3.doubleValue()}));
        return new Stations(of);
    }

    /** What a program of the challenge prints; means have one digit there, rounded by its rules. */
    static Stations printed(String text) {
        Map<String, double[]> of = new TreeMap<>();
        Matcher station = PRINTED.matcher(text);
        while (station.find()) {
            of.put(
                    station.group(1),
                    new double[] {tenths(station.group(2)), tenths(station.group(4)), Double.NaN});
        }
        return new Stations(of);
    }

    private static long tenths(String number) {
        return new BigDecimal(number)
                .setScale(1, RoundingMode.UNNECESSARY)
                .unscaledValue()
                .longValue();
    }

    /** Lines of station, minimum, maximum and mean, with a tab between. */
    static Stations written(Path file) throws IOException {
        Map<String, double[]> of = new TreeMap<>();
        for (String line : Files.readAllLines(file)) {
            String[] fields = line.split("\t");
            of.put(
                    fields[0],
                    new double[] {
                        Double.parseDouble(fields[1]),
                        Double.parseDouble(fields[2]),
                        Double.parseDouble(fields[3])
                    });
        }
        return new Stations(of);
    }

    /**
     * Fails unless these are the same stations with the same extremes, and the same means where both have
     * them, but for a plain sum's rounding.
     */
    void check(String name, Stations expected) {
        List<String> differing = new ArrayList<>(expected.of.keySet());
        differing.removeIf(station -> same(of.get(station), expected.of.get(station)));
        if (!differing.isEmpty() || of.size() != expected.of.size()) {
            throw new IllegalStateException(
                    "a peer's result is not ours: peer="
                            + name
                            + ", stations="
                            + of.size()
                            + " of "
                            + expected.of.size()
                            + ", differing="
                            + differing.stream().limit(3).toList());
        }
    }

    private static boolean same(double[] actual, double[] expected) {
        // A mean that is not there is no number, which is not greater.
        return actual != null
                && actual[0] == expected[0]
                && actual[1] == expected[1]
                && !(Math.abs(actual[2] - expected[2]) > MEAN_TOLERANCE);
    }
}
