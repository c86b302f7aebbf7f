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
        if (args[0].equals("lines")) {
            LineTransformBenchmark lines = new LineTransformBenchmark();
            lines.transform = LineTransformBenchmark.Transform.valueOf(args[1]);
            Blackhole hole = hole();
            lines.setUp();
            show(
                    args,
                    compare(
                            LineTransformBenchmark.LINES,
                            ROUNDS,
                            RUNS,
                            () -> hole.consume(lines.columns()),
                            () -> hole.consume(lines.mapFunction())));
            lines.tearDown();
        } else {
            show(args, rows(TransformBenchmark.Transform.valueOf(args[1]), ROUNDS, RUNS));
        }
    }

    /** Nanoseconds a record of each round, of this library and of the map function. */
    static double[][] rows(TransformBenchmark.Transform transform, int rounds, int runs)
            throws Exception {
        Blackhole hole = hole();
        RowTransformBenchmark rows = new RowTransformBenchmark();
        rows.transform = transform;
        rows.setUp();
        try {
            return compare(
                    RowTransformBenchmark.ROWS,
                    rounds,
                    runs,
                    () -> rows.strings(hole),
                    () -> rows.mapFunction(hole));
        } finally {
            rows.tearDown();
        }
    }

    /** JMH's own guard against its use without thought: results must not be optimised away. */
    private static Blackhole hole() {
        return new Blackhole(
                "Today's password is swordfish. I understand instantiating Blackholes directly"
                        + " is dangerous.");
    }

    /** As many rounds before are to warm up. */
    private static double[][] compare(int rows, int rounds, int runs, Side library, Side map)
            throws Exception {
        double[][] nanos = new double[2][rounds];
        for (int round = -rounds; round < rounds; round++) {
            double own = nanos(library, runs) / rows;
            double mapped = nanos(map, runs) / rows;
            if (round >= 0) {
                nanos[0][round] = own;
                nanos[1][round] = mapped;
            }
        }
        return nanos;
    }

    private static void show(String[] what, double[][] nanos) {
        double[] libraryNanos = nanos[0];
        double[] mapNanos = nanos[1];
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

    private static double nanos(Side side, int runs) throws Exception {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long start = threads.getCurrentThreadCpuTime();
        for (int run = 0; run < runs; run++) {
            side.run();
        }
        return (threads.getCurrentThreadCpuTime() - start) / (double) runs;
    }
}
