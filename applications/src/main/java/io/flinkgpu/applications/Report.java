package io.flinkgpu.applications;

import io.flinkgpu.api.Rule;
import io.flinkgpu.api.RuleSet;

import org.apache.flink.api.common.JobExecutionResult;

import java.io.PrintStream;
import java.util.List;
import java.util.Locale;

/** What a finished job did, for people. */
public final class Report {

    private static final int WIDTH = 130;
    private static final int CONTEXT = 40;

    private final PrintStream out;

    public Report(PrintStream out) {
        this.out = out;
    }

    /** Lines before and after redaction, clipped around the match that each shows. */
    void preview(List<Preview.Pair> pairs) {
        if (pairs.isEmpty()) {
            return;
        }
        out.println();
        out.println("Before and after");
        for (Preview.Pair pair : pairs) {
            out.println("  - " + clip(pair.before(), pair.beforeAt()));
            out.println("  + " + clip(pair.after(), pair.afterAt()));
        }
    }

    /** A window of the text that shows what is at an index. */
    private static String clip(String text, int at) {
        int start = at <= CONTEXT ? 0 : at - CONTEXT;
        if (start > 0 && Character.isLowSurrogate(text.charAt(start))) {
            start++;
        }
        int end = Math.min(text.length(), start + WIDTH);
        if (end < text.length() && Character.isLowSurrogate(text.charAt(end))) {
            end--;
        }
        return (start > 0 ? "…" : "")
                + text.substring(start, end)
                + (end < text.length() ? "…" : "");
    }

    /** Matches of each rule, in rule order. */
    public void matches(RuleSet rules, JobExecutionResult result) {
        int width =
                rules.rules().stream()
                        .mapToInt(rule -> Printable.of(rule.name()).length())
                        .max()
                        .orElse(0);
        out.println();
        out.println("Matches per rule");
        long total = 0;
        for (Rule rule : rules.rules()) {
            long matches = Counters.count(result, Counters.matches(rule.name()));
            total += matches;
            out.printf(
                    Locale.ROOT, "  %-" + width + "s %,14d%n", Printable.of(rule.name()), matches);
        }
        out.printf(Locale.ROOT, "  %-" + width + "s %,14d%n", "total", total);
    }

    /** How many lines are in the statistics and how many not. */
    void statsLines(JobExecutionResult result) {
        out.println();
        out.printf(
                Locale.ROOT,
                "Latencies per service and %d s, in ms, of %,d lines; left out: %,d without a time, %,d"
                        + " without a latency%n",
                LogStats.WINDOW.toSeconds(),
                Counters.count(result, Counters.MEASURED_LINES),
                Counters.count(result, Counters.LINES_WITHOUT_TIME),
                Counters.count(result, Counters.LINES_WITHOUT_LATENCY));
    }

    /** The first rows of the statistics. */
    void stats(StatsFiles stats) {
        int width = stats.first().stream().mapToInt(row -> row.service().length()).max().orElse(0);
        String line = "  %-" + Math.max(7, width) + "s  %-20s %7s %12s %12s %12s%n";
        out.printf(line, "service", "from", "count", "min", "mean", "max");
        for (StatsFiles.Row row : stats.first()) {
            out.printf(
                    line,
                    row.service(),
                    row.start(),
                    row.count(),
                    row.min(),
                    row.mean(),
                    row.max());
        }
        long more = stats.rows() - stats.first().size();
        if (more > 0) {
            out.printf(Locale.ROOT, "  ... and %,d more%n", more);
        }
    }

    /** Rows, time and rate of a job that makes its rows; the time is the job's own. */
    static void rows(
            JobExecutionResult result,
            long rows,
            String backend,
            int parallelism,
            PrintStream out) {
        double seconds = Math.max(1, result.getNetRuntime()) / 1e3;
        out.printf(
                Locale.ROOT,
                "%,d rows in %.2f s: %,.0f rows/s (backend %s, parallelism %d)%n",
                rows,
                seconds,
                rows / seconds,
                backend,
                parallelism);
    }

    /** Volume, time and rates; the time is the job's own, without the start of JVM and cluster. */
    public void throughput(JobExecutionResult result, String backend, int parallelism) {
        double seconds = Math.max(1, result.getNetRuntime()) / 1e3;
        long rows = Counters.count(result, Counters.ROWS);
        long bytes = Counters.count(result, Counters.BYTES);
        out.println();
        out.printf(
                Locale.ROOT,
                "%,d rows, %.1f MB in %.2f s: %,.0f rows/s, %,.1f MB/s (backend %s, parallelism"
                        + " %d)%n",
                rows,
                bytes / 1e6,
                seconds,
                rows / seconds,
                bytes / 1e6 / seconds,
                backend,
                parallelism);
    }
}
