package io.flinkgpu.bench;

import io.flinkgpu.backend.Backend;
import io.flinkgpu.backend.CompiledProgram;
import io.flinkgpu.backend.OpenRequest;
import io.flinkgpu.backend.cpu.CpuBackend;
import io.flinkgpu.backend.cuda.CudaBackend;
import io.flinkgpu.backend.plan.RedactPlan;
import io.flinkgpu.backend.plan.RedactedBatch;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.testkit.TestRequests;
import io.flinkgpu.text.CompiledRules;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * A rule pack on a GPU: compared with the CPU backend, then timed, kernels alone and from host to host, by several
 * threads with a backend each, as subtasks have.
 */
final class PackOnGpu {

    private static final int[] THREADS = {1, 8, 16};
    private static final long MEMORY_BYTES = 2L << 30;
    private static final long NANOS = 1_000_000_000L;
    private static final int IN_FLIGHT = 4;

    private PackOnGpu() {}

    /** The rates in GB/s: of the kernels, the median, and of each number of threads with four batches in flight each. */
    static String measure(CompiledRules rules, List<byte[]> lines) throws Exception {
        RedactionWork work = new RedactionWork(lines);
        StringBuilder rates = new StringBuilder(check(work, rules));
        for (int threads : THREADS) {
            rates.append(
                    String.format(
                            Locale.ROOT,
                            ", %.1f GB/s by %d threads",
                            together(work, rules, threads),
                            threads));
        }
        return rates.toString();
    }

    private static String check(RedactionWork work, CompiledRules rules) throws Exception {
        RedactPlan plan = new RedactPlan(rules);
        try (Backend cpu = CpuBackend.open(TestRequests.of(MEMORY_BYTES));
                Backend gpu = CudaBackend.open(TestRequests.of(MEMORY_BYTES));
                CompiledProgram<RedactedBatch> expected = cpu.compile(plan);
                CompiledProgram<RedactedBatch> program = gpu.compile(plan)) {
            List<ColumnBatch> pageable = work.batches(cpu.allocator());
            List<ColumnBatch> pinned = work.batches(gpu.allocator());
            try {
                Rates<RedactedBatch> rates = new Rates<>(work, program, pinned);
                rates.check(List.of(new Rates<>(work, expected, pageable)));
                int left;
                try (RedactedBatch first = program.submit(pinned.get(0)).await()) {
                    left = first.hardRows();
                }
                double[] kernels = rates.device(NANOS);
                Arrays.sort(kernels);
                return String.format(
                        Locale.ROOT,
                        "%d of %d rows left to the host, kernels %.1f GB/s",
                        left,
                        pinned.get(0).rows(),
                        kernels[kernels.length / 2]);
            } finally {
                pageable.forEach(ColumnBatch::close);
                pinned.forEach(ColumnBatch::close);
            }
        }
    }

    private static double together(RedactionWork work, CompiledRules rules, int threads)
            throws Exception {
        List<Backend> backends = new ArrayList<>();
        List<ColumnBatch> batches = new ArrayList<>();
        try (Programs<RedactedBatch> programs = RedactionWork.programs(rules)) {
            List<Rates<RedactedBatch>> rates = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                backends.add(
                        CudaBackend.open(
                                new OpenRequest(MEMORY_BYTES, 0, threads, 0, new byte[0])));
            }
            for (CompiledProgram<RedactedBatch> program : programs.on(backends)) {
                List<ColumnBatch> pinned = work.batches(backends.get(rates.size()).allocator());
                batches.addAll(pinned);
                rates.add(new Rates<>(work, program, pinned));
            }
            // The first run is to warm up.
            Rates.together(rates, IN_FLIGHT, NANOS / 2);
            return Rates.together(rates, IN_FLIGHT, NANOS);
        } finally {
            batches.forEach(ColumnBatch::close);
            backends.forEach(Backend::close);
        }
    }
}
