package io.flinkgpu.bench;

import io.flinkgpu.api.Aggregate;
import io.flinkgpu.api.ColumnType;
import io.flinkgpu.api.ValueSpec;
import io.flinkgpu.backend.plan.AggregatePlan;
import io.flinkgpu.backend.plan.GroupedBatch;
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
    private static final int HOT_KEY = 7;
    private static final AggregatePlan PLAN =
            new AggregatePlan(
                    ColumnType.INT,
                    List.of(
                            spec("temperature", ColumnType.DOUBLE),
                            spec("price", ColumnType.decimal(18, 2))));

    private AggregationAxis() {}

    static void run(Lab lab) throws Exception {
        try (Programs<GroupedBatch> programs = new Programs<>(PLAN)) {
            Trial<GroupedBatch> trial = new Trial<>(lab, "aggregate", programs);
            for (int rows : lab.settings().quick() ? new int[] {1 << 10} : BATCH_ROWS) {
                for (int keys : lab.settings().quick() ? new int[] {1, 41} : KEYS) {
                    run(trial, new Work(rows, keys, 0));
                }
                run(trial, new Work(rows, SKEWED_KEYS, HOT_PERCENT));
            }
        }
    }

    private static ValueSpec spec(String name, ColumnType type) {
        return new ValueSpec(name, type, List.of(Aggregate.values()));
    }

    private static void run(Trial<GroupedBatch> trial, Work work) throws Exception {
        Map<String, Long> at = new LinkedHashMap<>();
        at.put("rows", (long) work.rows);
        at.put("keys", (long) work.keys);
        at.put("hotPercent", (long) work.hotPercent);
        trial.run(at, ROW_BYTES * work.rows, work);
    }

    private static final class Work implements io.flinkgpu.bench.Work<GroupedBatch> {

        private final int rows;
        private final int keys;
        private final int hotPercent;

        /** Of all batches, made once for all backends. */
        private final int[] keyOfRow;

        private final double[] temperatures;
        private final int[] prices;

        /**
         * @param keys are drawn at random
         * @param hotPercent of the rows have one key
         */
        Work(int rows, int keys, int hotPercent) {
            this.rows = rows;
            this.keys = keys;
            this.hotPercent = hotPercent;
            int all = BATCHES * rows;
            Random random = new Random(1);
            keyOfRow = random.ints(all, 0, keys).toArray();
            prices = random.ints(all, 0, 1_000_000_000).toArray();
            temperatures = new double[all];
            for (int i = 0; i < all; i++) {
                temperatures[i] = Math.round(200 + 100 * random.nextGaussian()) / 10.0;
                if (hotPercent > 0 && random.nextInt(100) < hotPercent) {
                    keyOfRow[i] = HOT_KEY;
                }
            }
        }

        @Override
        public List<ColumnBatch> batches(BufferAllocator allocator) {
            List<ColumnType> types = PLAN.values().stream().map(ValueSpec::type).toList();
            List<ColumnBatch> batches = new ArrayList<>();
            RowValues values = new RowValues(types.size());
            try (ValueBatchBuilder builder =
                    new ValueBatchBuilder(allocator, rows, Integer.MAX_VALUE, types)) {
                for (int i = 0; i < BATCHES; i++) {
                    for (int row = i * rows; row < (i + 1) * rows; row++) {
                        values.putWord(0, Double.doubleToLongBits(temperatures[row]));
                        values.putWord(1, prices[row]);
                        builder.append(keyOfRow[row], 60_000L * i, values);
                    }
                    batches.add(builder.build());
                }
            }
            return batches;
        }

        @Override
        public void check(ColumnBatch batch, GroupedBatch actual, GroupedBatch expected) {
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
