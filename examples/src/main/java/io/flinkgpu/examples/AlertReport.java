package io.flinkgpu.examples;

import org.apache.flink.api.common.JobExecutionResult;

import java.io.PrintStream;
import java.util.Locale;
import java.util.OptionalLong;

/** What the alerts of a run were, for people. Not thread-safe. */
final class AlertReport {

    private final MadeUpNews news = new MadeUpNews();
    private long lines;
    private long foundCopies;
    private Alert first;

    void add(Alert alert) {
        lines++;
        OptionalLong original = news.original(alert.number());
        for (long earlier : alert.earlier()) {
            if (original.isPresent() && original.getAsLong() == earlier) {
                foundCopies++;
            }
        }
        if (first == null) {
            first = alert;
        }
    }

    /** Of made-up news also what is known of them: texts of others do not leave the job. */
    void print(
            JobExecutionResult result,
            DuplicateOptions options,
            String backend,
            int parallelism,
            PrintStream out) {
        if (options.input().isEmpty()) {
            printNews(options.rows(), out);
        }
        long all = Counters.count(result, Counters.LINES);
        out.printf(Locale.ROOT, "%,d of %,d lines resemble an earlier one%n", lines, all);
        Report.rows(result, all, backend, parallelism, out);
    }

    private void printNews(int rows, PrintStream out) {
        if (first != null) {
            out.println("The first alert is about these two:");
            printItem(first.earlier()[0], out);
            printItem(first.number(), out);
        }
        long copies = 0;
        for (long number = 1; number <= rows; number++) {
            copies += news.original(number).isPresent() ? 1 : 0;
        }
        out.printf(
                Locale.ROOT,
                "%,d of %,d edited copies found their originals%n",
                foundCopies,
                copies);
    }

    private void printItem(long number, PrintStream out) {
        out.println("  " + number + ": " + news.text(number));
    }
}
