package io.flinkgpu.bench;

import io.flinkgpu.api.Aggregate;
import io.flinkgpu.api.ColumnType;
import io.flinkgpu.api.ValueSpec;
import io.flinkgpu.api.lines.Delimited;
import io.flinkgpu.backend.plan.LineGroups;
import io.flinkgpu.backend.plan.LinePlan;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.oracle.Measurements;
import io.flinkgpu.oracle.SameLineGroups;

import org.apache.arrow.memory.BufferAllocator;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * Lines {@code station;temperature} to groups over the number of stations and the size of a batch: min,
 * mean, max, sum and count of each station; {@link ManyLines} for 50 million in one go.
 */
final class LinesAxis {

    private static final int MIN_BATCHES = 3;
    private static final int ALL_BATCHES_BYTES = 32 << 20;
    private static final int[] BATCH_MIB = {4, 16, 64};
    private static final int[] KEYS = {413, 41_000, 1_000_000};

    /** What the groups are made by. */
    static final LinePlan PLAN =
            new LinePlan(
                    Delimited.of(';').string("station").decimal("temp", 1),
                    0,
                    null,
                    List.of(1),
                    List.of(
                            new ValueSpec(
                                    "temp",
                                    ColumnType.decimal(ColumnType.MAX_PRECISION, 1),
                                    List.of(Aggregate.values()))));

    private LinesAxis() {}

    static void run(Lab lab) throws Exception {
        try (Programs<LineGroups> programs = programs()) {
            Trial<LineGroups> trial = new Trial<>(lab, "lines", programs);
            for (int mebibytes : lab.settings().quick() ? new int[] {0} : BATCH_MIB) {
                for (int keys : lab.settings().quick() ? new int[] {41} : KEYS) {
                    run(trial, Math.max(1 << 14, mebibytes << 20), keys);
                }
            }
        }
        if (lab.gpu().isPresent()) {
            for (int keys : ManyLines.keys(lab.settings())) {
                new ManyLines(lab, keys).measure("lines");
            }
        }
    }

    static Programs<LineGroups> programs() {
        return new Programs<>(PLAN);
    }

    private static void run(Trial<LineGroups> trial, int batchBytes, int keys) throws Exception {
        List<byte[]> lines =
                lines(keys, Math.max(MIN_BATCHES, ALL_BATCHES_BYTES / batchBytes), batchBytes);
        Map<String, Long> at = new LinkedHashMap<>();
        at.put("batchBytes", (long) batchBytes);
        at.put("rows", lines.stream().mapToLong(BenchInput::count).sum() / lines.size());
        at.put("keys", (long) keys);
        trial.run(at, batchBytes, new Work(lines));
    }

    /** Some batches of about so many bytes, the same each time, of the same stations. */
    static List<byte[]> lines(int keys, int batches, int batchBytes) {
        Measurements stations = new Measurements(keys, new Random(keys));
        return IntStream.range(0, batches)
                .parallel()
                .mapToObj(batch -> stations.with(new Random(batch)).lines(batchBytes))
                .toList();
    }

    /** These batches. */
    record Work(List<byte[]> lines) implements io.flinkgpu.bench.Work<LineGroups> {

        @Override
        public List<ColumnBatch> batches(BufferAllocator allocator) {
            return lines.stream().map(batch -> Measurements.batch(allocator, batch)).toList();
        }

        @Override
        public void check(ColumnBatch batch, LineGroups actual, LineGroups expected) {
            SameLineGroups.check(PLAN, batch, actual, expected);
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
