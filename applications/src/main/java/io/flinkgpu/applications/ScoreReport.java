package io.flinkgpu.applications;

import org.apache.flink.api.common.JobExecutionResult;

import java.io.PrintStream;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Locale;
import java.util.PriorityQueue;

/** The scores of a job, for people. */
final class ScoreReport {

    private static final int SHOWN = 5;
    private static final double MILLI_NANOS = 1e6;

    private final PriorityQueue<ClickScore> first =
            new PriorityQueue<>(Comparator.comparingLong(ClickScore::number).reversed());

    private long[] nanos = new long[1 << 10];
    private int count;
    private double sum;

    void add(ClickScore score) {
        if (count == nanos.length) {
            nanos = Arrays.copyOf(nanos, Math.toIntExact(2L * count));
        }
        nanos[count++] = score.nanos();
        sum += score.score();
        first.add(score);
        if (first.size() > SHOWN) {
            first.remove();
        }
    }

    /** The time that so much of all samples took at most. */
    double millis(double share) {
        int index = (int) Math.ceil(share * count) - 1;
        return nanos[Math.max(0, index)] / MILLI_NANOS;
    }

    void print(
            JobExecutionResult result,
            ClickTables tables,
            String backend,
            int parallelism,
            PrintStream out) {
        Arrays.sort(nanos, 0, count);
        out.printf(
                Locale.ROOT,
                "%d tables of %,d vectors of %d numbers%n",
                ClickTables.COUNT,
                tables.vectors(),
                tables.dimension());
        out.println("sample  score");
        first.stream()
                .sorted(Comparator.comparingLong(ClickScore::number))
                .forEach(
                        score ->
                                out.printf(
                                        Locale.ROOT, "%6d  %.6f%n", score.number(), score.score()));
        out.printf(Locale.ROOT, "mean of all scores: %.4f%n", sum / count);
        out.printf(Locale.ROOT, "latency: p50 %.2f ms, p99 %.2f ms%n", millis(0.5), millis(0.99));
        double seconds = Math.max(1, result.getNetRuntime()) / 1e3;
        out.printf(
                Locale.ROOT,
                "%,d samples in %.2f s: %,.0f samples/s (backend %s, parallelism %d)%n",
                count,
                seconds,
                count / seconds,
                backend,
                parallelism);
    }
}
