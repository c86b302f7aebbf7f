package io.flinkgpu.bench;

import io.flinkgpu.backend.Backend;
import io.flinkgpu.backend.CompiledProgram;
import io.flinkgpu.backend.cpu.CpuBackend;
import io.flinkgpu.backend.cuda.CudaBackend;
import io.flinkgpu.backend.plan.RedactPlan;
import io.flinkgpu.backend.plan.RedactedBatch;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.testkit.TestRequests;
import io.flinkgpu.text.CompiledRules;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** A rule pack on a GPU: compared with the CPU backend, then timed, kernels alone and from host to host. */
final class PackOnGpu {

    private static final long MEMORY_BYTES = 2L << 30;
    private static final long NANOS = 2_000_000_000L;
    private static final int IN_FLIGHT = 4;

    private PackOnGpu() {}

    /** The rates in GB/s: of the kernels, the median, and of one thread with four batches in flight. */
    static String measure(CompiledRules rules, List<byte[]> lines) throws Exception {
        RedactionWork work = new RedactionWork(lines);
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
                rates.wall(IN_FLIGHT, NANOS / 4);
                double[] kernels = rates.device(NANOS);
                Arrays.sort(kernels);
                return String.format(
                        Locale.ROOT,
                        "kernels %.1f GB/s, host to host %.1f GB/s, %d of %d rows left to the host",
                        kernels[kernels.length / 2],
                        rates.wall(IN_FLIGHT, NANOS),
                        left,
                        pinned.get(0).rows());
            } finally {
                pageable.forEach(ColumnBatch::close);
                pinned.forEach(ColumnBatch::close);
            }
        }
    }
}
