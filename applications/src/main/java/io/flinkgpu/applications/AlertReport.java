package io.flinkgpu.applications;

import org.apache.flink.api.common.JobExecutionResult;

import java.io.PrintStream;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.LongStream;

/** What the alerts of a run were, for people. Not thread-safe. */
final class AlertReport {

    private final Optional<MadeUpNews> news;
    private long lines;
    private long foundCopies;
    private Alert first;

    /**
     * @param news what the lines are, if they are made up: texts of others are not shown
     */
    AlertReport(Optional<MadeUpNews> news) {
        this.news = news;
    }

    void add(Alert alert) {
        lines++;
        if (first == null) {
            first = alert;
        }
        if (news.isPresent() && isAboutOriginal(alert, news.get())) {
            foundCopies++;
        }
    }

    private static boolean isAboutOriginal(Alert alert, MadeUpNews news) {
        OptionalLong original = news.original(alert.number());
        return original.isPresent()
                && LongStream.of(alert.earlier()).anyMatch(line -> line == original.getAsLong());
    }

    void print(JobExecutionResult result, String backend, int parallelism, PrintStream out) {
        long all = Counters.count(result, Counters.LINES);
        if (news.isPresent()) {
            print(news.get(), all, out);
        }
        out.printf(Locale.ROOT, "%,d of %,d lines resemble an earlier one%n", lines, all);
        Report.rows(result, all, backend, parallelism, out);
    }

    private void print(MadeUpNews items, long count, PrintStream out) {
        if (first != null) {
            out.println("The first alert is about these two:");
            for (long number : new long[] {first.earlier()[0], first.number()}) {
                out.println("  " + number + ": " + items.text(number));
            }
        }
        long copies =
                LongStream.rangeClosed(1, count)
                        .filter(number -> items.original(number).isPresent())
                        .count();
        out.printf(
                Locale.ROOT,
                "%,d of %,d edited copies found their originals%n",
                foundCopies,
                copies);
    }
}
