package io.flinkgpu.bench;

import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.CompiledProgram;
import io.flinkgpu.backend.cuda.CudaBackend;
import io.flinkgpu.backend.plan.LineGroups;
import io.flinkgpu.column.ColumnBatch;

import org.apache.arrow.memory.BufferAllocator;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The lines of {@link LinesAxis}, whose groups a program may hold from batch to batch: how fast batches are
 * where it does, and how fast all groups are given out.
 */
final class HeldLinesAxis {

    private static final String AXIS = "held-lines";
    private static final int BATCHES = 8;
    private static final int[] BATCH_MIB = {4, 16};
    private static final int[] KEYS = {413, 41_000, 1_000_000};
    private static final double GROUPS_PER_NANO_IN_MILLIONS = 1e3;

    private HeldLinesAxis() {}

    static void run(Lab lab) throws Exception {
        try (Programs<LineGroups> programs = new Programs<>(LinesAxis.PLAN.holdingGroups())) {
            for (int mebibytes : lab.settings().quick() ? new int[] {0} : BATCH_MIB) {
                for (int keys : lab.settings().quick() ? new int[] {2000} : KEYS) {
                    run(lab, programs, Math.max(1 << 16, mebibytes << 20), keys);
                }
            }
        }
    }

    private static void run(Lab lab, Programs<LineGroups> programs, int batchBytes, int keys)
            throws Exception {
        List<byte[]> lines = LinesAxis.lines(keys, BATCHES, batchBytes);
        Map<String, Long> at = new LinkedHashMap<>();
        at.put("batchBytes", (long) batchBytes);
        at.put("rows", lines.stream().mapToLong(BenchInput::count).sum() / lines.size());
        at.put("keys", (long) keys);
        HeldWork work = new HeldWork(new LinesAxis.Work(lines));
        new Trial<>(lab, AXIS, programs).run(at, batchBytes, work);
        if (lab.gpu().isPresent()) {
            give(lab, programs, at, work);
        }
    }

    /** Adds the figure of giving out what is held of all batches. */
    private static void give(
            Lab lab, Programs<LineGroups> programs, Map<String, Long> at, HeldWork work)
            throws Exception {
        CudaBackend gpu = lab.gpu().orElseThrow();
        CompiledProgram<LineGroups> program = programs.on(List.of(gpu)).get(0);
        List<ColumnBatch> batches = work.batches(gpu.allocator());
        try (ColumnBatch nothing = batches.get(0).slice(0, 0)) {
            given(program, nothing);
            double[] rates = new double[lab.settings().runs()];
            int given = 0;
            for (int i = 0; i < rates.length; i++) {
                for (ColumnBatch batch : batches) {
                    program.submit(batch).await().close();
                }
                long start = System.nanoTime();
                given = given(program, nothing);
                rates[i] = GROUPS_PER_NANO_IN_MILLIONS * given / (System.nanoTime() - start);
            }
            Map<String, Long> ofGroups = new LinkedHashMap<>(at);
            ofGroups.put("given", (long) given);
            lab.add(Figure.of(AXIS, Engines.GPU, ofGroups, "M groups/s", rates));
        } finally {
            batches.forEach(ColumnBatch::close);
        }
    }

    /** Has a program give out all that it holds; gives how many groups these are. */
    private static int given(CompiledProgram<LineGroups> program, ColumnBatch nothing)
            throws BackendException {
        for (int given = 0; ; ) {
            try (LineGroups groups = program.submit(nothing).await()) {
                given += groups.groups().groups();
                if (groups.groups().groups() == 0) {
                    return given;
                }
            }
        }
    }

    /** Batches whose results may have no groups. */
    private record HeldWork(LinesAxis.Work lines) implements Work<LineGroups> {

        @Override
        public List<ColumnBatch> batches(BufferAllocator allocator) {
            return lines.batches(allocator);
        }

        @Override
        public void check(ColumnBatch batch, LineGroups actual, LineGroups expected) {
            if (actual.lines() != expected.lines() || actual.refused() != expected.refused()) {
                throw new IllegalStateException(
                        "lines differ: lines="
                                + actual.lines()
                                + ", expected="
                                + expected.lines()
                                + ", refused="
                                + actual.refused()
                                + ", expected="
                                + expected.refused());
            }
        }

        @Override
        public long deviceNanos(LineGroups result) {
            return lines.deviceNanos(result);
        }

        @Override
        public double amount(ColumnBatch batch) {
            return lines.amount(batch);
        }

        @Override
        public String unit() {
            return lines.unit();
        }
    }
}
