package io.flinkgpu.bench;

import io.flinkgpu.api.Aggregate;
import io.flinkgpu.api.ValueSpec;
import io.flinkgpu.api.ValueType;
import io.flinkgpu.backend.AggregatePlan;
import io.flinkgpu.backend.Backend;
import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.CompiledProgram;
import io.flinkgpu.backend.GroupedBatch;
import io.flinkgpu.backend.KeyKind;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.column.RowValues;
import io.flinkgpu.column.ValueBatchBuilder;
import io.flinkgpu.oracle.SameGroups;

import org.apache.arrow.memory.BufferAllocator;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Aggregation over the number of keys and the rows of a batch: key ids, a slice, a column of doubles and
 * one of decimals, all aggregates of both; 28 bytes a row.
 */
final class AggregationAxis {

    private static final int BATCHES = 3;
    private static final long ROW_BYTES = 28;
    private static final int[] BATCH_ROWS = {1 << 16, 1_000_000};
    private static final int[] KEYS = {1, 413, 41_000, 1_000_000};
    private static final int SKEWED_KEYS = 41_000;
    private static final int HOT_PERCENT = 90;
    private static final AggregatePlan PLAN =
            new AggregatePlan(
                    KeyKind.ID,
                    List.of(
                            spec("temperature", ValueType.DOUBLE),
                            spec("price", ValueType.decimal(18, 2))));

    private AggregationAxis() {}

    static void run(Lab lab) throws Exception {
        for (int rows : lab.settings().quick() ? new int[] {1 << 10} : BATCH_ROWS) {
            for (int keys : lab.settings().quick() ? new int[] {1, 41} : KEYS) {
                run(lab, new Work(rows, keys, 0));
            }
            run(lab, new Work(rows, SKEWED_KEYS, HOT_PERCENT));
        }
    }

    private static ValueSpec spec(String name, ValueType type) {
        return new ValueSpec(name, type, List.of(Aggregate.values()));
    }

    private static void run(Lab lab, Work work) throws Exception {
        Map<String, Long> at = new LinkedHashMap<>();
        at.put("rows", (long) work.rows);
        at.put("keys", (long) work.keys);
        at.put("hotPercent", (long) work.hotPercent);
        new Trial(lab, "aggregate").run(at, ROW_BYTES * work.rows, work);
    }

    /**
     * @param keys are drawn at random
     * @param hotPercent of the rows have one key
     */
    private record Work(int rows, int keys, int hotPercent)
            implements io.flinkgpu.bench.Work<GroupedBatch> {

        @Override
        public CompiledProgram<GroupedBatch> compile(Backend backend) throws BackendException {
            return backend.compile(PLAN);
        }

        @Override
        public List<ColumnBatch> batches(BufferAllocator allocator) {
            List<ValueType> types = PLAN.values().stream().map(ValueSpec::type).toList();
            List<ColumnBatch> batches = new ArrayList<>();
            Random random = new Random(1);
            RowValues values = new RowValues(types.size());
            try (ValueBatchBuilder builder =
                    new ValueBatchBuilder(allocator, rows, Integer.MAX_VALUE, types)) {
                for (int i = 0; i < BATCHES; i++) {
                    for (int row = 0; row < rows; row++) {
                        boolean hot = hotPercent > 0 && random.nextInt(100) < hotPercent;
                        double temperature = Math.round(200 + 100 * random.nextGaussian()) / 10.0;
                        values.putWord(0, Double.doubleToLongBits(temperature));
                        values.putWord(1, random.nextInt(1_000_000_000));
                        builder.append(hot ? 7 : random.nextInt(keys), 60_000L * i, values);
                    }
                    batches.add(builder.build());
                }
            }
            return batches;
        }

        @Override
        public void check(GroupedBatch actual, GroupedBatch expected) {
            SameGroups.check(PLAN, actual, expected);
        }

        @Override
        public long deviceNanos(GroupedBatch result) {
            return result.deviceNanos();
        }

        @Override
        public double amount(ColumnBatch batch) {
            return 1e3 * batch.rows();
        }

        @Override
        public String unit() {
            return "M rows/s";
        }
    }
}
