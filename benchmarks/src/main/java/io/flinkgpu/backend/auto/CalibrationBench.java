package io.flinkgpu.backend.auto;

import io.flinkgpu.backend.Backend;
import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.CompiledProgram;
import io.flinkgpu.backend.Plan;
import io.flinkgpu.backend.SampleBatch;
import io.flinkgpu.backend.TestRequests;
import io.flinkgpu.backend.auto.Calibration.CoreSpeed;
import io.flinkgpu.backend.cpu.CpuBackend;

import java.util.Locale;

/**
 * How often a core is chosen wrong, and how long that takes, in a JVM that has just started and in one that
 * ran the program before. Arguments: the number of a program of {@link AutoBench}, what a core does with it
 * in MB/s once all is compiled, and the share of a GPU as a multiple of that.
 */
public final class CalibrationBench {

    private static final int TIMES = 6;
    private static final int SAMPLE_BYTES = 64 << 10;
    private static final int MAX_ROWS = 1 << 16;

    private CalibrationBench() {}

    public static void main(String[] args) throws Exception {
        Plan<?> plan = AutoBench.plans().get(Integer.parseInt(args[0]));
        double multiple = Double.parseDouble(args[2]);
        double share = 1e6 * Double.parseDouble(args[1]) * multiple;
        for (int i = 0; i < TIMES; i++) {
            System.out.println(chosen(plan, share, multiple > 1));
        }
    }

    private static <R extends AutoCloseable> String chosen(
            Plan<R> plan, double share, boolean isGpuFaster) throws BackendException {
        try (Backend backend = CpuBackend.open(TestRequests.of(AutoBench.MEMORY_LIMIT_BYTES));
                CompiledProgram<R> program = backend.compile(plan);
                SampleBatch sample =
                        plan.sample().make(backend.allocator(), MAX_ROWS, SAMPLE_BYTES)) {
            long started = System.nanoTime();
            CoreSpeed speed =
                    new Calibration(Calibration.Clock.SYSTEM).oneByOne(program, sample, share);
            double millis = (System.nanoTime() - started) / 1e6;
            boolean isGpuTaken = speed.bytesPerSecond() < share && speed.expected() < share;
            return String.format(
                    Locale.ROOT,
                    "%s taken in %.1f ms, %s: a core %.0f MB/s",
                    isGpuTaken ? "GPU" : "core",
                    millis,
                    isGpuTaken == isGpuFaster ? "right" : "wrong",
                    speed.bytesPerSecond() / 1e6);
        }
    }
}
