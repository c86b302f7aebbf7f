package io.flinkgpu.bench;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Locale;

import io.flinkgpu.Backends;
import io.flinkgpu.api.BackendChoice;
import io.flinkgpu.backend.Backend;
import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.CompiledProgram;
import io.flinkgpu.backend.Submission;
import io.flinkgpu.backend.RedactedBatch;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.rules.DefaultRules;
import io.flinkgpu.text.CompiledRules;
import io.flinkgpu.text.RuleCompiler;

/**
 * Redaction with the default rules on the GPU and on one CPU core, over batch sizes: kernels alone, and
 * host to host through pinned memory with several batches in flight. Every size is first checked
 * against the CPU backend, byte for byte.
 *
 * <p>Arguments: a folder of {@code *.log} files, or none for made-up lines.
 */
public final class GpuBench {

    private static final long MEMORY_LIMIT_BYTES = 4L << 30;
    private static final int IN_FLIGHT = 3;
    private static final long RUN_NANOS = 1_500_000_000L;
    private static final int RUNS = 3;
    private static final int[] BATCH_KIB = {64, 256, 1024, 4096, 16384, 65536, 262144};

    private GpuBench() {}

    public static void main(String[] args) throws Exception {
        String input = args.length > 0 ? args[0] : "";
        CompiledRules rules = RuleCompiler.compile(DefaultRules.get());
        try (Backend gpu = open(BackendChoice.CUDA);
                Backend cpu = open(BackendChoice.CPU);
                CompiledProgram<RedactedBatch> onGpu = gpu.compile(rules, new byte[0]);
                CompiledProgram<RedactedBatch> onCpu = cpu.compile(rules, new byte[0])) {
            System.out.printf(
                    Locale.ROOT,
                    "%s, %d rules, %d states, input %s%n%n",
                    gpu.description(),
                    rules.ruleSet().size(),
                    rules.dfa().states(),
                    input.isEmpty() ? "made up" : input);
            System.out.println(
                    "batch KiB |   rows | matches | kernels GB/s | host to host GB/s (min - max of "
                            + RUNS
                            + ") | cpu, 1 core GB/s");
            for (int kib : BATCH_KIB) {
                byte[] lines = BenchInput.lines(input, kib << 10);
                try (ColumnBatch pinned = BenchInput.batch(gpu.allocator(), lines);
                        ColumnBatch pageable = BenchInput.batch(cpu.allocator(), lines)) {
                    report(kib, pinned, onGpu, pageable, onCpu);
                }
            }
        }
    }

    private static Backend open(BackendChoice choice) throws BackendException {
        return Backends.of(choice).open(MEMORY_LIMIT_BYTES, 0);
    }

    private static void report(
            int kib,
            ColumnBatch pinned,
            CompiledProgram<RedactedBatch> onGpu,
            ColumnBatch pageable,
            CompiledProgram<RedactedBatch> onCpu)
            throws BackendException {
        long matches = check(pinned, onGpu, pageable, onCpu);
        int bytes = pinned.text(0).dataBytes();
        measure(pinned, onGpu, IN_FLIGHT, RUN_NANOS / 3);
        double[] hostToHost = new double[RUNS];
        double kernels = 0;
        for (int run = 0; run < RUNS; run++) {
            Rate rate = measure(pinned, onGpu, IN_FLIGHT, RUN_NANOS);
            hostToHost[run] = rate.gigabytesPerSecond(bytes);
            kernels = Math.max(kernels, bytes * (double) rate.batches / rate.deviceNanos);
        }
        Rate cpu = measure(pageable, onCpu, 1, RUN_NANOS);
        Arrays.sort(hostToHost);
        System.out.printf(
                Locale.ROOT,
                "%9d | %6d | %7d | %12.2f | %12.2f (%.2f - %.2f) | %.3f%n",
                kib,
                pinned.rows(),
                matches,
                kernels,
                hostToHost[RUNS / 2],
                hostToHost[0],
                hostToHost[RUNS - 1],
                cpu.gigabytesPerSecond(bytes));
    }

    /** Fails unless both backends give the same bytes; returns the matches. */
    private static long check(
            ColumnBatch pinned,
            CompiledProgram<RedactedBatch> onGpu,
            ColumnBatch pageable,
            CompiledProgram<RedactedBatch> onCpu)
            throws BackendException {
        try (RedactedBatch a = onGpu.submit(pinned).await();
                RedactedBatch b = onCpu.submit(pageable).await()) {
            byte[] gpuBytes = a.text().copy(0, a.text().dataBytes());
            byte[] cpuBytes = b.text().copy(0, b.text().dataBytes());
            int differs = Arrays.mismatch(gpuBytes, cpuBytes);
            if (differs >= 0 || !Arrays.equals(a.matchesPerRule(), b.matchesPerRule())) {
                throw new IllegalStateException("GPU and CPU differ at output byte " + differs);
            }
            return Arrays.stream(a.matchesPerRule()).sum();
        }
    }

    private static Rate measure(
            ColumnBatch batch, CompiledProgram<RedactedBatch> redaction, int inFlight, long runNanos)
            throws BackendException {
        Deque<Submission<RedactedBatch>> running = new ArrayDeque<>();
        Rate rate = new Rate();
        long start = System.nanoTime();
        while (System.nanoTime() - start < runNanos || rate.batches < 3) {
            running.add(redaction.submit(batch));
            if (running.size() == inFlight) {
                rate.take(running.poll());
            }
        }
        while (!running.isEmpty()) {
            rate.take(running.poll());
        }
        rate.wallNanos = System.nanoTime() - start;
        return rate;
    }

    private static final class Rate {
        long batches;
        long deviceNanos;
        long wallNanos;

        void take(Submission<RedactedBatch> submission) throws BackendException {
            try (RedactedBatch redacted = submission.await()) {
                batches++;
                deviceNanos += redacted.deviceNanos();
            }
        }

        double gigabytesPerSecond(long bytes) {
            return bytes * (double) batches / wallNanos;
        }
    }
}
