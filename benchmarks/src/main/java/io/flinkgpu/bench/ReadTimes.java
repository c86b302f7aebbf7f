package io.flinkgpu.bench;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Locale;

/** Prints what the reading of a file costs, in CPU time of this thread and in time. */
public final class ReadTimes {

    private static final int ROUNDS = 6;

    /** A line of the one billion row challenge, on average. */
    private static final double LINE_BYTES = 13.8;

    private ReadTimes() {}

    /** Reads a file once. */
    public interface Pass {

        /** Returns how many bytes were read. */
        long run() throws IOException;
    }

    public static void print(String name, Pass pass) throws IOException {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        for (int round = 0; round < ROUNDS; round++) {
            long cpu = threads.getCurrentThreadCpuTime();
            long start = System.nanoTime();
            double lines = pass.run() / LINE_BYTES;
            double nanos = System.nanoTime() - start;
            System.out.printf(
                    Locale.ROOT,
                    "%s: %.2f ns CPU, %.2f ns a line, %.2f GB/s%n",
                    name,
                    (threads.getCurrentThreadCpuTime() - cpu) / lines,
                    nanos / lines,
                    lines * LINE_BYTES / nanos);
        }
    }
}
