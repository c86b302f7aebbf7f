package io.flinkgpu.bench;

import io.flinkgpu.api.Aggregate;
import io.flinkgpu.api.ValueSpec;
import io.flinkgpu.api.ValueType;
import io.flinkgpu.api.lines.Delimited;
import io.flinkgpu.backend.Backend;
import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.CompiledProgram;
import io.flinkgpu.backend.LineGroups;
import io.flinkgpu.backend.LinePlan;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.oracle.Measurements;
import io.flinkgpu.oracle.SameLineGroups;

import org.apache.arrow.memory.BufferAllocator;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Lines {@code station;temperature} to groups over the number of stations and the size of a batch: min,
 * mean, max, sum and count of each station.
 */
final class LinesAxis {

    private static final int MIN_BATCHES = 3;
    private static final int ALL_BATCHES_BYTES = 32 << 20;
    private static final int[] BATCH_MIB = {4, 16, 64};
    private static final int[] KEYS = {413, 41_000, 1_000_000};
    private static final LinePlan PLAN =
            new LinePlan(
                    Delimited.of(';').string("station").decimal("temp", 1),
                    0,
                    null,
                    List.of(1),
                    List.of(
                            new ValueSpec(
                                    "temp",
                                    ValueType.decimal(ValueType.MAX_PRECISION, 1),
                                    List.of(Aggregate.values()))));

    private LinesAxis() {}

    static void run(Lab lab) throws Exception {
        for (int mebibytes : lab.settings().quick() ? new int[] {0} : BATCH_MIB) {
            for (int keys : lab.settings().quick() ? new int[] {41} : KEYS) {
                run(lab, Math.max(1 << 14, mebibytes << 20), keys);
            }
        }
    }

    private static void run(Lab lab, int batchBytes, int keys) throws Exception {
        Measurements measurements = new Measurements(keys, new Random(keys));
        List<byte[]> lines = new ArrayList<>();
        long rows = 0;
        for (int i = 0; i < Math.max(MIN_BATCHES, ALL_BATCHES_BYTES / batchBytes); i++) {
            lines.add(measurements.lines(batchBytes));
            rows += BenchInput.count(lines.get(i));
        }
        Map<String, Long> at = new LinkedHashMap<>();
        at.put("batchBytes", (long) batchBytes);
        at.put("rows", rows / lines.size());
        at.put("keys", (long) keys);
        new Trial(lab, "lines").run(at, batchBytes, new Work(lines));
    }

    private record Work(List<byte[]> lines) implements io.flinkgpu.bench.Work<LineGroups> {

        @Override
        public CompiledProgram<LineGroups> compile(Backend backend) throws BackendException {
            return backend.compile(PLAN);
        }

        @Override
        public List<ColumnBatch> batches(BufferAllocator allocator) {
            return lines.stream().map(batch -> Measurements.batch(allocator, batch)).toList();
        }

        @Override
        public void check(LineGroups actual, LineGroups expected) {
            SameLineGroups.check(PLAN, actual, expected);
        }

        @Override
        public long deviceNanos(LineGroups result) {
            return result.deviceNanos();
        }

        @Override
        public double amount(ColumnBatch batch) {
            return batch.text(LinePlan.LINES_COLUMN).dataBytes();
        }

        @Override
        public String unit() {
            return "GB/s";
        }
    }
}
