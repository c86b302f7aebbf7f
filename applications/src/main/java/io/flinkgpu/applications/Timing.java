package io.flinkgpu.applications;

import org.apache.flink.api.common.JobExecutionResult;

import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.OptionalLong;

/**
 * Where the time of a job on lines went, and how much memory its process took. Of a job that runs
 * elsewhere only the wall-clock time is known, and what its tasks counted.
 */
final class Timing {

    private static final Path STATUS = Path.of("/proc/self/status");

    private final long startNanos = System.nanoTime();
    private final long startCpuNanos = cpuNanos();
    private long wallNanos;
    private long cpuNanos;

    private Timing() {}

    /** The job starts now. */
    static Timing start() {
        return new Timing();
    }

    /** Its results are there. */
    void stop() {
        wallNanos = System.nanoTime() - startNanos;
        cpuNanos = cpuNanos() - startCpuNanos;
    }

    /** Tells what the tasks counted; times of tasks that ran at once are added up. */
    void print(JobExecutionResult result, String backend, int parallelism, PrintStream err) {
        long lines = Counters.count(result, "lines.lines");
        double bytes = Counters.count(result, "lines.bytes");
        double seconds = wallNanos / 1e9;
        double job = result.getNetRuntime() / 1e3;
        double open = seconds(result, "lines.openNanos") / parallelism;
        double read = seconds(result, "lines.readNanos") / parallelism;
        double merge = seconds(result, "lines.mergeNanos") / parallelism;
        err.printf(
                Locale.ROOT,
                "%,d rows, %,.1f MB in %.2f s from start to result: %,.1f M rows/s, %.2f GB/s (backend"
                        + " %s, parallelism %d)%n",
                lines,
                bytes / 1e6,
                seconds,
                lines / seconds / 1e6,
                bytes / seconds / 1e9,
                backend,
                parallelism);
        err.printf(
                Locale.ROOT,
                "time of the job by Flink: %.2f s; of it a subtask, on average: open the backend %.2f s,"
                        + " read %.2f s, merge %.2f s, all else %.2f s (Flink, and waiting,"
                        + " %.3f s of it for its first batch)%n",
                job,
                open,
                read,
                merge,
                job - open - read - merge,
                seconds(result, "lines.firstNanos") / parallelism);
        err.printf(
                Locale.ROOT,
                "meanwhile, added over the subtasks: %s %.2f s, in %,d batches%n",
                copied(result),
                seconds(result, "lines.parseNanos"),
                Counters.count(result, "lines.batches"));
        err.printf(
                Locale.ROOT,
                "CPU time of the process: %.2f s, %.1f ns a row, start of Flink and JIT included%n",
                cpuNanos / 1e9,
                cpuNanos / (double) Math.max(1, lines));
        err.printf(Locale.ROOT, "peak memory: %s%n", memory());
    }

    private static String copied(JobExecutionResult result) {
        double seconds = seconds(result, "lines.copyNanos");
        return seconds == 0
                ? "parse and aggregate"
                : String.format(
                        Locale.ROOT,
                        "copies to the device %.2f s, parse and aggregate there",
                        seconds);
    }

    private static double seconds(JobExecutionResult result, String name) {
        return Counters.count(result, name) / 1e9;
    }

    private static String memory() {
        long heap = 0;
        for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
            if (pool.getType() == MemoryType.HEAP) {
                heap += pool.getPeakUsage().getUsed();
            }
        }
        String text = String.format(Locale.ROOT, "%.0f MB of Java heap", heap / 1e6);
        OptionalLong resident = peakResidentBytes();
        return resident.isEmpty()
                ? text
                : String.format(
                        Locale.ROOT,
                        "%s, %.0f MB of the process",
                        text,
                        resident.getAsLong() / 1e6);
    }

    /** What the kernel says, where it is Linux. */
    private static OptionalLong peakResidentBytes() {
        try {
            return Files.readAllLines(STATUS).stream()
                    .filter(line -> line.startsWith("VmHWM:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * 1024)
                    .findFirst();
        } catch (IOException e) {
            return OptionalLong.empty();
        }
    }

    private static long cpuNanos() {
        return ManagementFactory.getOperatingSystemMXBean()
                        instanceof com.sun.management.OperatingSystemMXBean system
                ? system.getProcessCpuTime()
                : 0;
    }
}
