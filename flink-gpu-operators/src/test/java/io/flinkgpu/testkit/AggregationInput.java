package io.flinkgpu.testkit;

import io.flinkgpu.api.ColumnType;
import io.flinkgpu.api.ValueSpec;
import io.flinkgpu.backend.plan.AggregatePlan;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.column.RowValues;
import io.flinkgpu.column.ValueBatchBuilder;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.VarBinaryVector;
import org.apache.arrow.vector.VectorSchemaRoot;

import java.util.ArrayList;
import java.util.List;

/** Rows to aggregate, as objects. */
public final class AggregationInput {

    final AggregatePlan plan;
    final List<Row> rows = new ArrayList<>();

    public AggregationInput(AggregatePlan plan) {
        this.plan = plan;
    }

    /**
     * Adds a row.
     *
     * @param key an {@code Integer}, or a {@code byte[]}
     * @param values a {@code Long}, a {@code Double} or null each
     */
    public AggregationInput add(Object key, long slice, Number... values) {
        rows.add(new Row(key, slice, values.clone()));
        return this;
    }

    public AggregatePlan plan() {
        return plan;
    }

    public int rows() {
        return rows.size();
    }

    /** Rows {@code [from, to)} as columns, the caller's to close. */
    public ColumnBatch batch(BufferAllocator allocator, int from, int to) {
        List<FieldVector> columns = new ArrayList<>();
        columns.add(keys(allocator, from, to));
        BigIntVector slices = new BigIntVector("slice", allocator);
        for (int row = from; row < to; row++) {
            slices.setSafe(row - from, rows.get(row).slice);
        }
        columns.add(slices);
        for (int i = 0; i < plan.values().size(); i++) {
            columns.add(values(allocator, i, from, to));
        }
        for (FieldVector column : columns) {
            if (to == from) {
                column.allocateNew();
            }
            column.setValueCount(to - from);
        }
        return new ColumnBatch(new VectorSchemaRoot(columns), 0);
    }

    /** All rows, whose keys are ids, as a {@link ValueBatchBuilder} makes them into columns. */
    public ColumnBatch built(BufferAllocator allocator) {
        List<ColumnType> types = plan.values().stream().map(ValueSpec::type).toList();
        try (ValueBatchBuilder builder =
                new ValueBatchBuilder(allocator, rows(), Integer.MAX_VALUE, types)) {
            RowValues values = new RowValues(types.size());
            for (Row row : rows) {
                for (int i = 0; i < types.size(); i++) {
                    if (row.values[i] == null) {
                        values.putNull(i);
                    } else if (types.get(i).isFloating()) {
                        values.putWord(i, Double.doubleToLongBits((Double) row.values[i]));
                    } else {
                        values.putWord(i, (Long) row.values[i]);
                    }
                }
                builder.append((Integer) row.key, row.slice, values);
            }
            return builder.build();
        }
    }

    private FieldVector keys(BufferAllocator allocator, int from, int to) {
        if (plan.key() == ColumnType.INT) {
            IntVector ids = new IntVector("key", allocator);
            for (int row = from; row < to; row++) {
                ids.setSafe(row - from, (Integer) rows.get(row).key);
            }
            return ids;
        }
        VarBinaryVector bytes = new VarBinaryVector("key", allocator);
        for (int row = from; row < to; row++) {
            bytes.setSafe(row - from, (byte[]) rows.get(row).key);
        }
        return bytes;
    }

    private FieldVector values(BufferAllocator allocator, int value, int from, int to) {
        if (plan.values().get(value).type().isFloating()) {
            Float8Vector doubles = new Float8Vector("value" + value, allocator);
            for (int row = from; row < to; row++) {
                Number number = rows.get(row).values[value];
                if (number == null) {
                    // What is in the data of a null is undefined: the worst that can be there.
                    doubles.setSafe(row - from, Double.NaN);
                    doubles.setNull(row - from);
                } else {
                    doubles.setSafe(row - from, (Double) number);
                }
            }
            return doubles;
        }
        BigIntVector longs = new BigIntVector("value" + value, allocator);
        for (int row = from; row < to; row++) {
            Number number = rows.get(row).values[value];
            if (number == null) {
                longs.setSafe(row - from, Long.MIN_VALUE);
                longs.setNull(row - from);
            } else {
                longs.setSafe(row - from, (Long) number);
            }
        }
        return longs;
    }

    record Row(Object key, long slice, Number[] values) {}
}
