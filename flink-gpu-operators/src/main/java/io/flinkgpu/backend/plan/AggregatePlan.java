package io.flinkgpu.backend.plan;

import io.flinkgpu.api.ColumnType;
import io.flinkgpu.api.ValueSpec;
import io.flinkgpu.backend.Plan;
import io.flinkgpu.backend.SampleBatch;
import io.flinkgpu.column.ColumnBatch;

import org.apache.flink.annotation.Internal;

import java.util.ArrayList;
import java.util.List;

/**
 * What is aggregated, and by what it is grouped: rows of the same key and the same slice are a group.
 *
 * <pre>
 *   column 0      key: Int32 or VarBinary, see {@code key}
 *   column 1      slice: Int64, any number; in a windowed stream the start of a slice of time
 *   column 2 + i  value i: Int64, or Float64 where its type is floating; with nulls
 * </pre>
 *
 * @param key INT: numbers that the caller gave to its keys, from 0; or BYTES: the keys' own bytes, keys
 *     being the same if all their bytes are. Neither has nulls
 * @param values at least one
 */
@Internal
public record AggregatePlan(ColumnType key, List<ValueSpec> values) implements Plan<GroupedBatch> {

    private static final long serialVersionUID = 1L;

    public static final int KEY_COLUMN = 0;
    public static final int SLICE_COLUMN = 1;
    public static final int FIRST_VALUE_COLUMN = 2;

    public AggregatePlan {
        if (key != ColumnType.INT && key != ColumnType.BYTES) {
            throw key.refusedBy("a key");
        }
        values = List.copyOf(values);
    }

    @Override
    public String name() {
        return "Aggregation";
    }

    @Override
    public List<ColumnType> input() {
        List<ColumnType> types = new ArrayList<>();
        types.add(key);
        types.add(ColumnType.LONG);
        values.forEach(value -> types.add(value.type().word()));
        return types;
    }

    /** Measured by the number of keys: docs/lab/2026-11-23-any-number-of-keys.md. */
    @Override
    public String whyOnCore() {
        return "a core takes its rows as they come, for a GPU they have to be batches";
    }

    @Override
    public SampleBatch.Maker sample() {
        return Samples.aggregates(this);
    }

    @Override
    public String defectOf(GroupedBatch result, ColumnBatch batch) {
        if (result.groups() > 0 && result.groups() <= batch.rows()) {
            return null;
        }
        return "a batch has at least one group and no more than rows: rows="
                + batch.rows()
                + ", groups="
                + result.groups();
    }

    @Override
    public String remedyForOneRow() {
        return "raise memoryLimitBytes";
    }
}
