package io.flinkgpu.bench;

import io.flinkgpu.backend.CompiledProgram;
import io.flinkgpu.backend.Submission;
import io.flinkgpu.backend.cuda.CudaBackend;
import io.flinkgpu.backend.plan.LineGroups;
import io.flinkgpu.column.ColumnBatch;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * 50 million lines of {@link LinesAxis} as ten different batches: what the kernels take for all of them,
 * one batch after the other, and what all take from host to host. A row is a line.
 */
final class ManyLines {

    private static final int BATCHES = 10;
    private static final int BATCH_BYTES = 64 << 20;
    private static final int QUICK_BATCH_BYTES = 1 << 14;
    private static final int IN_FLIGHT = 4;
    private static final int[] KEYS = {413, 41_000};
    private static final double ROWS_PER_NANO_IN_MILLIONS = 1e3;

    private final Lab lab;
    private final List<byte[]> lines;
    private final long rows;
    private final int keys;

    ManyLines(Lab lab, int keys) {
        this.lab = lab;
        this.keys = keys;
        lines = LinesAxis.lines(keys, BATCHES, lab.settings().pick(BATCH_BYTES, QUICK_BATCH_BYTES));
        rows = lines.parallelStream().mapToLong(BenchInput::count).sum();
    }

    /** Numbers of stations that are measured. */
    static int[] keys(Settings settings) {
        return settings.quick() ? new int[] {41} : KEYS.clone();
    }

    /** Of each batch. */
    List<byte[]> lines() {
        return lines;
    }

    /** Where on the axes this is. */
    Map<String, Long> at() {
        Map<String, Long> at = new LinkedHashMap<>();
        at.put("batches", (long) lines.size());
        at.put("rows", rows);
        at.put("keys", (long) keys);
        return at;
    }

    /** Adds the figures of the GPU, which must be there, after its results were compared. */
    void measure(String axis) throws Exception {
        CudaBackend gpu = lab.gpu().orElseThrow();
        LinesAxis.Work work = new LinesAxis.Work(lines);
        List<ColumnBatch> batches = work.batches(gpu.allocator());
        try (Programs<LineGroups> programs = LinesAxis.programs()) {
            CompiledProgram<LineGroups> program = programs.on(List.of(gpu)).get(0);
            check(new Rates<>(work, program, batches), work, programs);
            double[] kernels = new double[lab.settings().runs()];
            double[] wall = new double[kernels.length];
            for (int i = 0; i < kernels.length; i++) {
                kernels[i] = kernels(program, batches);
                wall[i] = wall(program, batches);
            }
            lab.add(Figure.of(axis, Engines.KERNELS, at(), "M rows/s", kernels));
            lab.add(Figure.of(axis, Engines.GPU, at(), "M rows/s", wall));
        } finally {
            batches.forEach(ColumnBatch::close);
        }
    }

    /** Every batch's groups against those of the CPU backend, which works on all cores. */
    private void check(Rates<LineGroups> gpu, LinesAxis.Work work, Programs<LineGroups> programs)
            throws Exception {
        List<ColumnBatch> pageable = work.batches(lab.cpu().allocator());
        try {
            List<Rates<LineGroups>> oracles = new ArrayList<>();
            for (CompiledProgram<LineGroups> program : programs.on(lab.cores())) {
                oracles.add(new Rates<>(work, program, pageable));
            }
            gpu.check(oracles);
        } finally {
            pageable.forEach(ColumnBatch::close);
        }
    }

    private double kernels(CompiledProgram<LineGroups> program, List<ColumnBatch> batches)
            throws Exception {
        long nanos = 0;
        for (ColumnBatch batch : batches) {
            try (LineGroups groups = program.submit(batch).await()) {
                nanos += groups.deviceNanos();
            }
        }
        return ROWS_PER_NANO_IN_MILLIONS * rows / nanos;
    }

    private double wall(CompiledProgram<LineGroups> program, List<ColumnBatch> batches)
            throws Exception {
        Deque<Submission<LineGroups>> running = new ArrayDeque<>();
        long start = System.nanoTime();
        for (ColumnBatch batch : batches) {
            running.add(program.submit(batch));
            if (running.size() == IN_FLIGHT) {
                running.poll().await().close();
            }
        }
        while (!running.isEmpty()) {
            running.poll().await().close();
        }
        return ROWS_PER_NANO_IN_MILLIONS * rows / (System.nanoTime() - start);
    }
}
