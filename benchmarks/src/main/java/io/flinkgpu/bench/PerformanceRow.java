package io.flinkgpu.bench;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * A row of docs/performance.md: what it says, of which figures.
 *
 * @param what is measured; {@code {rules}} stands for how many rules our figure has
 * @param ours picks our figure
 * @param shown the unit that values are shown in
 * @param scale from the figure's unit to that
 * @param lessIsBetter as times are
 * @param peers by name, what is beside it
 * @param limit what no program could be better than, as the machine of our figure has it
 * @param limitName what that is; empty if none is known
 * @param target at which it is met; 0 without one
 * @param lab the report with all of it, below docs/lab
 */
record PerformanceRow(
        String what,
        Pick ours,
        String shown,
        double scale,
        boolean lessIsBetter,
        Map<String, Pick> peers,
        ToDoubleFunction<Hardware> limit,
        String limitName,
        double target,
        String lab) {

    static PerformanceRow of(String what, Pick ours, String lab) {
        String unit = ours.unit();
        boolean less = !unit.endsWith("/s");
        return new PerformanceRow(what, ours, unit, 1, less, Map.of(), h -> 0, "", 0, lab);
    }

    PerformanceRow shownAs(String unit, double factor) {
        return new PerformanceRow(
                what, ours, unit, factor, lessIsBetter, peers, limit, limitName, target, lab);
    }

    PerformanceRow beside(String peer, Pick pick) {
        Map<String, Pick> more = new LinkedHashMap<>(peers);
        more.put(peer, pick);
        return new PerformanceRow(
                what, ours, shown, scale, lessIsBetter, more, limit, limitName, target, lab);
    }

    PerformanceRow limitedBy(String name, ToDoubleFunction<Hardware> value) {
        return new PerformanceRow(
                what, ours, shown, scale, lessIsBetter, peers, value, name, target, lab);
    }

    PerformanceRow target(double value) {
        return new PerformanceRow(
                what, ours, shown, scale, lessIsBetter, peers, limit, limitName, value, lab);
    }

    /** How many times as good as a peer. */
    double times(double our, double theirs) {
        return lessIsBetter ? theirs / our : our / theirs;
    }

    /** What is measured, as a figure has it. */
    String what(Figure figure) {
        return what.replace("{rules}", String.valueOf(figure.at().get("rules")));
    }

    boolean met(double value) {
        return lessIsBetter ? value <= target : value >= target;
    }
}
