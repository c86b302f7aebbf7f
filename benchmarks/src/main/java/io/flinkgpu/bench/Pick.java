package io.flinkgpu.bench;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Which figure of some reports is meant: the first that matches.
 *
 * @param axis of the figure
 * @param engine of the figure
 * @param unit of the figure
 * @param at what it has to have of these coordinates; a number of bytes may differ by a tenth, as batches end with whole
 *     lines
 */
record Pick(String axis, String engine, String unit, Map<String, Long> at) {

    private static final double BYTES_TOLERANCE = 0.1;

    /** A figure and the report that it is in. */
    record Found(Report report, Figure figure) {}

    static Pick of(String axis, String engine, String unit) {
        return new Pick(axis, engine, unit, Map.of());
    }

    Pick at(String coordinate, long value) {
        Map<String, Long> more = new TreeMap<>(at);
        more.put(coordinate, value);
        return new Pick(axis, engine, unit, more);
    }

    boolean matches(Figure figure) {
        return figure.axis().equals(axis)
                && figure.engine().equals(engine)
                && figure.unit().equals(unit)
                && at.entrySet().stream()
                        .allMatch(e -> near(e.getKey(), e.getValue(), figure.at().get(e.getKey())));
    }

    private static boolean near(String coordinate, long wanted, Long found) {
        if (found == null) {
            return false;
        }
        double tolerance =
                coordinate.toLowerCase(Locale.ROOT).endsWith("bytes")
                        ? BYTES_TOLERANCE * wanted
                        : 0;
        return Math.abs(found - wanted) <= tolerance;
    }

    /**
     * @param reports those that count most first
     */
    Optional<Found> in(List<Report> reports) {
        return reports.stream()
                .flatMap(report -> report.figures().stream().map(f -> new Found(report, f)))
                .filter(found -> matches(found.figure()))
                .findFirst();
    }

    /** All that match in the report that has the most of them, at least two, as a line of a plot needs; of equals, the first's. */
    List<Found> lineIn(List<Report> reports) {
        List<Found> longest = List.of();
        for (Report report : reports) {
            List<Found> line =
                    report.figures().stream()
                            .filter(this::matches)
                            .map(figure -> new Found(report, figure))
                            .toList();
            longest = line.size() > Math.max(1, longest.size()) ? line : longest;
        }
        return longest;
    }
}
