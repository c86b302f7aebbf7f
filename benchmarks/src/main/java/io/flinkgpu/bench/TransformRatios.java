package io.flinkgpu.bench;

import org.openjdk.jmh.infra.Blackhole;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.Locale;

/**
 * The two sides of {@link LineTransformBenchmark} or {@link RowTransformBenchmark} in turn, by the
 * thread's processor time: for machines that do other work meanwhile, where JMH's clock tells of that.
 * Arguments: {@code lines} or {@code rows}, and the transform. Collections of garbage are not counted.
 */
public final class TransformRatios {

    private static final int ROUNDS = 200;
    private static final int RUNS = 3;

    private TransformRatios() {}

    /** One run of a side. */
    private interface Side {
        void run() throws Exception;
    }

    public static void main(String[] args) throws Exception {
        // JMH's own guard against its use without thought: results must not be optimised away.
        Blackhole hole =
                new Blackhole(
                        "Today's password is swordfish. I understand instantiating Blackholes directly"
                                + " is dangerous.");
        if (args[0].equals("lines")) {
            LineTransformBenchmark lines = new LineTransformBenchmark();
            lines.transform = LineTransformBenchmark.Transform.valueOf(args[1]);
            lines.setUp();
            compare(
                    args,
                    LineTransformBenchmark.LINES,
                    () -> hole.consume(lines.columns()),
                    () -> hole.consume(lines.mapFunction()));
            lines.tearDown();
        } else {
            RowTransformBenchmark rows = new RowTransformBenchmark();
            rows.transform = TransformBenchmark.Transform.valueOf(args[1]);
            rows.setUp();
            compare(
                    args,
                    RowTransformBenchmark.ROWS,
                    () -> rows.strings(hole),
                    () -> rows.mapFunction(hole));
            rows.tearDown();
        }
    }

    private static void compare(String[] what, int rows, Side library, Side map) throws Exception {
        double[] libraryNanos = new double[ROUNDS];
        double[] mapNanos = new double[ROUNDS];
        for (int round = -ROUNDS; round < ROUNDS; round++) {
            double own = nanos(library) / rows;
            double mapped = nanos(map) / rows;
            if (round >= 0) {
                libraryNanos[round] = own;
                mapNanos[round] = mapped;
            }
        }
        Arrays.sort(libraryNanos);
        Arrays.sort(mapNanos);
        System.out.printf(
                Locale.ROOT,
                "%s %s: this library %s, map function %s, ratio %.2f%n",
                what[0],
                what[1],
                shown(libraryNanos),
                shown(mapNanos),
                mapNanos[ROUNDS / 2] / libraryNanos[ROUNDS / 2]);
    }

    private static String shown(double[] nanos) {
        return String.format(
                Locale.ROOT,
                "%.1f ns (%.1f - %.1f)",
                nanos[ROUNDS / 2],
                nanos[ROUNDS / 4],
                nanos[ROUNDS * 3 / 4]);
    }

    private static double nanos(Side side) throws Exception {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long start = threads.getCurrentThreadCpuTime();
        for (int run = 0; run < RUNS; run++) {
            side.run();
        }
        return (threads.getCurrentThreadCpuTime() - start) / (double) RUNS;
    }
}
