package io.flinkgpu.backend.cuda.aggregate;

import io.flinkgpu.api.ColumnType;
import io.flinkgpu.backend.plan.AggregatePlan;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.column.NumberView;
import io.flinkgpu.column.TextView;

import org.apache.flink.annotation.Internal;

/**
 * Where the columns of an aggregation's batch are in host memory. A view, valid while the batch is
 * open.
 *
 * @param rows at least 1
 * @param keysAreBytes if not, they are ids
 * @param keys the ids, or the offsets of the bytes
 * @param keyData the first key's bytes, if keys are bytes
 * @param firstKeyOffset the first of the offsets
 * @param keyDataBytes bytes of all keys
 * @param data each value's column
 * @param validity its bitmap; 0 where no row lacks a value
 */
@Internal
public record AggregateInput(
        int rows,
        boolean keysAreBytes,
        long keys,
        long keyData,
        int firstKeyOffset,
        int keyDataBytes,
        long slices,
        long[] data,
        long[] validity) {

    public static AggregateInput of(AggregatePlan plan, ColumnBatch batch) {
        int values = plan.values().size();
        long[] data = new long[values];
        long[] validity = new long[values];
        for (int i = 0; i < values; i++) {
            NumberView column = batch.numbers(AggregatePlan.FIRST_VALUE_COLUMN + i);
            data[i] = column.dataAddress();
            validity[i] = column.nulls() == 0 ? 0 : column.validityAddress();
        }
        long slices = batch.numbers(AggregatePlan.SLICE_COLUMN).dataAddress();
        if (plan.key() == ColumnType.INT) {
            long ids = batch.numbers(AggregatePlan.KEY_COLUMN).dataAddress();
            return new AggregateInput(batch.rows(), false, ids, 0, 0, 0, slices, data, validity);
        }
        TextView keys = batch.text(AggregatePlan.KEY_COLUMN);
        int first = keys.start(0);
        return new AggregateInput(
                batch.rows(),
                true,
                keys.offsetsAddress(),
                keys.dataAddress() + first,
                first,
                keys.dataBytes() - first,
                slices,
                data,
                validity);
    }

    public int values() {
        return data.length;
    }

    /** Bytes of the ids or offsets. */
    long keysBytes() {
        return 4 * (rows + (keysAreBytes ? 1L : 0));
    }

    /** Bytes of the slices, and of a value's column. */
    long wordsBytes() {
        return 8L * rows;
    }

    /** Bytes of a value's bitmap, if it is needed. */
    long validityBytes(int value) {
        return validity[value] == 0 ? 0 : (rows + 7L) / 8;
    }
}
