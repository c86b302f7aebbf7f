package io.flinkgpu.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * docs/performance.md and its plots, made from reports: the same bytes for the same reports. Only figures of one report are
 * divided by each other, and each carries its report. Not thread-safe.
 */
final class PerformancePage {

    /** Below docs: where the plots are. */
    static final String PLOTS = "plots/performance";

    private final List<Report> reports;
    private final List<Report> runs = new ArrayList<>();
    private final Set<Pick.Found> used = new LinkedHashSet<>();

    /**
     * @param reports those that count most first
     */
    PerformancePage(List<Report> reports) {
        this.reports = List.copyOf(reports);
    }

    /** The files by their path below docs: the page, and a picture for each plot that has a line. */
    Map<String, String> files() {
        Map<String, String> files = new LinkedHashMap<>();
        String figures = table(PerformanceRows.all(), true);
        StringBuilder plots = new StringBuilder();
        for (PerformancePlots.Plot plot : PerformancePlots.all()) {
            Set<String> shown = new LinkedHashSet<>();
            String svg =
                    PerformancePlots.draw(
                            plot,
                            reports,
                            found -> {
                                use(found);
                                shown.add(run(found.report()));
                            });
            if (!svg.isEmpty()) {
                String file = PLOTS + "/" + plot.name() + ".svg";
                files.put(file, svg);
                plots.append("![" + plot.title() + "](" + file + ")\n\n");
                plots.append("Runs " + String.join(", ", shown) + "\n\n");
            }
        }
        String slower = table(PerformanceRows.slower(), false);
        files.put("performance.md", page(figures, plots.toString(), slower));
        return files;
    }

    /** The reports with the figures that the page has, after {@link #files()}. */
    List<Report> trimmed() {
        List<Report> trimmed = new ArrayList<>();
        for (Report report : reports) {
            List<Figure> figures =
                    report.figures().stream()
                            .filter(figure -> used.contains(new Pick.Found(report, figure)))
                            .toList();
            if (!figures.isEmpty()) {
                trimmed.add(report.with(figures));
            }
        }
        return trimmed;
    }

    private void use(Pick.Found found) {
        used.add(found);
        number(found.report());
    }

    private int number(Report report) {
        int index = runs.indexOf(report);
        if (index < 0) {
            runs.add(report);
            index = runs.size() - 1;
        }
        return index + 1;
    }

    private String page(String figures, String plots, String slower) {
        return """
        # Performance
        <!-- Made by `benchmarks/run Performance docs` from performance.json: change that, not this. -->

        Median (least - most) as measured, with the run that gave it. "Times" is how many times as good ours is: only figures of one run are
        divided by each other. %s
        What was tried, and every other figure, is in the [lab book](lab/README.md).

        %s
        ## By rows, keys, rules, batch, devices and load
        Bars are the least and the most of a point's runs.

        %s## Where it is slower
        Small batches, short texts in records, one job in a new process: what we found to be slower than, or not much
        faster than, what is beside it. Which backend `auto` takes is [measured](lab/2026-11-21-what-auto-chooses.md) when a job starts.

        %s
        ## Runs
        %s"""
                .formatted(
                        PerformanceRuns.summary(runs),
                        figures,
                        plots,
                        slower,
                        PerformanceRuns.table(runs));
    }

    /**
     * README.md with its figures replaced: those of its first screen, and where something else is faster, each between two
     * comments of Markdown.
     *
     * @throws IllegalArgumentException if the comments are not there
     */
    String readme(String text) {
        String first = between(text, "figures", shortTable(PerformanceRows.first()));
        return between(first, "slower", shortTable(PerformanceRows.slower()));
    }

    private static String between(String text, String name, String table) {
        String start = "<!-- " + name + ": made by `benchmarks/run Performance docs` -->\n";
        String end = "<!-- end of " + name + " -->\n";
        int from = text.indexOf(start);
        int to = text.indexOf(end);
        if (from < 0 || to < from) {
            throw new IllegalArgumentException(
                    "README.md has no place for figures: comments="
                            + (start + end).strip().replace("\n", " ")
                            + "; put them in");
        }
        return text.substring(0, from + start.length()) + table + text.substring(to);
    }

    /** Medians alone: the page has the rest. */
    private String shortTable(List<PerformanceRow> rows) {
        StringBuilder table = new StringBuilder("| what | ours | beside it |\n|---|---|---|\n");
        for (PerformanceRow row : rows) {
            row.ours()
                    .in(reports)
                    .filter(ours -> !peers(row, ours).isEmpty())
                    .ifPresent(
                            ours -> {
                                List<String> peers = new ArrayList<>();
                                peers(row, ours)
                                        .forEach(
                                                (name, peer) ->
                                                        peers.add(
                                                                name
                                                                        + " "
                                                                        + value(row, peer)
                                                                        + " "
                                                                        + row.shown()));
                                table.append(
                                        "| %s | **%s %s** | %s |\n"
                                                .formatted(
                                                        row.what(ours.figure()),
                                                        value(row, ours),
                                                        row.shown(),
                                                        String.join("; ", peers)));
                            });
        }
        return table.toString();
    }

    private static String value(PerformanceRow row, Pick.Found found) {
        return value(found.figure().median() * row.scale());
    }

    private String table(List<PerformanceRow> rows, boolean withTargets) {
        StringBuilder table =
                new StringBuilder(
                        withTargets
                                ? "| what | ours | beside it | limit; target |\n|---|---|---|---|\n"
                                : "| what | ours | beside it |\n|---|---|---|\n");
        for (PerformanceRow row : rows) {
            row.ours()
                    .in(reports)
                    // What is slower is so than something.
                    .filter(ours -> withTargets || !peers(row, ours).isEmpty())
                    .ifPresent(
                            ours -> {
                                use(ours);
                                table.append(line(row, ours, withTargets));
                            });
        }
        return table.toString();
    }

    private String line(PerformanceRow row, Pick.Found ours, boolean withTargets) {
        List<String> peers = new ArrayList<>();
        peers(row, ours).forEach((name, peer) -> peers.add(beside(row, name, ours, peer)));
        String line =
                "| [%s](lab/%s) | **%s** %s%s %s | %s |"
                        .formatted(
                                row.what(ours.figure()),
                                row.lab(),
                                value(ours.figure().median() * row.scale()),
                                row.shown(),
                                spread(row, ours.figure()),
                                run(ours.report()),
                                String.join("; ", peers));
        String targets = withTargets ? " %s |".formatted(targets(row, ours)) : "";
        return line + targets + "\n";
    }

    /** By name, of our figure's run if that has them. */
    private Map<String, Pick.Found> peers(PerformanceRow row, Pick.Found ours) {
        Map<String, Pick.Found> peers = new LinkedHashMap<>();
        row.peers()
                .forEach(
                        (name, pick) ->
                                pick.in(List.of(ours.report()))
                                        .or(() -> pick.in(reports))
                                        .ifPresent(peer -> peers.put(name, peer)));
        return peers;
    }

    private String beside(PerformanceRow row, String name, Pick.Found ours, Pick.Found peer) {
        use(peer);
        double theirs = peer.figure().median();
        String text = name + ": " + value(theirs * row.scale()) + spread(row, peer.figure());
        return peer.report().equals(ours.report())
                ? text + ", **" + value(row.times(ours.figure().median(), theirs)) + "** times"
                : text + " " + run(peer.report());
    }

    private static String targets(PerformanceRow row, Pick.Found ours) {
        return Stream.of(limit(row, ours), target(row, ours.figure()))
                .filter(text -> !text.isEmpty())
                .collect(Collectors.joining("; "));
    }

    private static String limit(PerformanceRow row, Pick.Found ours) {
        double limit = row.limit().applyAsDouble(ours.report().hardware());
        if (row.limitName().isEmpty() || limit <= 0 || Double.isInfinite(limit)) {
            return "";
        }
        double share =
                row.lessIsBetter()
                        ? limit / ours.figure().median()
                        : ours.figure().median() / limit;
        return String.format(
                Locale.ROOT,
                "%s %s (%.0f %%)",
                row.limitName(),
                value(limit * row.scale()),
                100 * share);
    }

    private static String target(PerformanceRow row, Figure figure) {
        if (row.target() == 0) {
            return "";
        }
        String met = row.met(figure.median() * row.scale()) ? "met" : "**missed**";
        return "target " + SvgPlot.number(row.target()) + ": " + met;
    }

    private static String spread(PerformanceRow row, Figure figure) {
        return figure.least() == figure.most()
                ? ""
                : " (%s - %s)"
                        .formatted(
                                value(figure.least() * row.scale()),
                                value(figure.most() * row.scale()));
    }

    private String run(Report report) {
        return PerformanceRuns.link(number(report));
    }

    /** Three digits that count. */
    private static String value(double value) {
        double size = Math.abs(value);
        String format = size < 1 ? "%.3f" : size < 10 ? "%.2f" : size < 100 ? "%.1f" : "%,.0f";
        return String.format(Locale.ROOT, format, value);
    }
}
