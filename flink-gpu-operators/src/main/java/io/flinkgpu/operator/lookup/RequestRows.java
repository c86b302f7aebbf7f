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

    /** That the request may have that is appended next. */
    private long nextValues;

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

    /** Where requests go: that of each record is set before it is appended. */
    public <Q> BatchInput<Q> input() {
        return new BatchInput<>(builder, record -> append());
    }

    /** Where requests go that were kept. */
    public <Q> BatchInput<TableRequest<Q>> keptInput() {
        return new BatchInput<>(
                builder,
                request -> {
                    set(request);
                    return append();
                });
    }

    /** Sets what the record asks for that is appended next. */
    public void set(AskedRequest request) {
        request.put(row);
        nextValues = request.values();
    }

    /** Likewise, of a request that was kept. */
    void set(TableRequest<?> request) {
        row.putNumbers(EmbeddingPlan.IDS_COLUMN, request.ids());
        row.putNumbers(EmbeddingPlan.BAGS_COLUMN, request.bags());
        row.putNumbers(EmbeddingPlan.BAG_ENDS_COLUMN, request.bagEnds());
        if (request.weights() == null) {
            row.putNull(EmbeddingPlan.WEIGHTS_COLUMN);
        } else {
            row.putNumbers(EmbeddingPlan.WEIGHTS_COLUMN, request.weights());
        }
        row.putNumbers(EmbeddingPlan.DENSE_COLUMN, request.dense());
        nextValues = request.values();
    }

    private boolean append() {
        if (builder.rows() == 0) {
            values = 0;
        } else if (values + nextValues > MAX_VALUES) {
            return false;
        }
        if (!builder.append(row)) {
            return false;
        }
        values += nextValues;
        return true;
    }
}
