package io.flinkgpu.operator.lookup;

import io.flinkgpu.api.BatchPolicy;
import io.flinkgpu.api.ColumnType;
import io.flinkgpu.backend.plan.EmbeddingPlan;
import io.flinkgpu.column.RowBatchBuilder;
import io.flinkgpu.column.RowValues;
import io.flinkgpu.operator.BatchInput;

import org.apache.flink.annotation.Internal;

import org.apache.arrow.memory.BufferAllocator;

import java.util.List;

/** Puts requests into batches. One thread only. */
@Internal
public final class RequestRows {

    /** For more values in the result of a batch another one is started. */
    private static final long MAX_VALUES = 1 << 22;

    private static final List<String> NAMES = List.of("ids", "bags", "bagEnds", "weights", "dense");

    private final RowBatchBuilder builder;
    private final RowValues row;

    /** That the result of the open batch may have. */
    private long values;

    /**
     * @param types of {@link EmbeddingPlan#input}
     * @param allocator where the columns live; stays the caller's
     */
    public RequestRows(List<ColumnType> types, BufferAllocator allocator, BatchPolicy policy) {
        builder = new RowBatchBuilder(allocator, policy.maxRows(), policy.maxBytes(), NAMES, types);
        row = new RowValues(types.size());
    }

    /** The bytes of a full batch. */
    static long fullBatchBytes(List<ColumnType> types, BatchPolicy policy) {
        return RowBatchBuilder.fullBatchBytes(policy.maxRows(), policy.maxBytes(), types);
    }

    /** Where requests go. */
    public <Q> BatchInput<TableRequest<Q>> input() {
        return new BatchInput<>(builder, this::append);
    }

    private boolean append(TableRequest<?> request) {
        if (builder.rows() == 0) {
            values = 0;
        } else if (values + request.values() > MAX_VALUES) {
            return false;
        }
        row.putNumbers(EmbeddingPlan.IDS_COLUMN, request.ids());
        row.putNumbers(EmbeddingPlan.BAGS_COLUMN, request.bags());
        row.putNumbers(EmbeddingPlan.BAG_ENDS_COLUMN, request.bagEnds());
        if (request.weights() == null) {
            row.putNull(EmbeddingPlan.WEIGHTS_COLUMN);
        } else {
            row.putNumbers(EmbeddingPlan.WEIGHTS_COLUMN, request.weights());
        }
        row.putNumbers(EmbeddingPlan.DENSE_COLUMN, request.dense());
        if (!builder.append(row)) {
            return false;
        }
        values += request.values();
        return true;
    }
}
