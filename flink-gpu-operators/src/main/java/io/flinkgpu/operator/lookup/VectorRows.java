package io.flinkgpu.operator.lookup;

import io.flinkgpu.api.BatchPolicy;
import io.flinkgpu.backend.plan.EmbeddingTablesPlan;
import io.flinkgpu.column.RowBatchBuilder;
import io.flinkgpu.column.RowValues;
import io.flinkgpu.operator.BatchInput;

import org.apache.arrow.memory.BufferAllocator;

import java.util.List;

/** Puts changes of vectors into batches. Task thread only. */
final class VectorRows {

    private static final List<String> NAMES = List.of("table", "id", "vector");

    private final RowBatchBuilder builder;
    private final RowValues row;

    private VectorRows(RowBatchBuilder builder, int columns) {
        this.builder = builder;
        this.row = new RowValues(columns);
    }

    /** The bytes of a full batch. */
    static long fullBatchBytes(EmbeddingTablesPlan plan, BatchPolicy policy) {
        return RowBatchBuilder.fullBatchBytes(policy.maxRows(), policy.maxBytes(), plan.changes());
    }

    /** Where changes go. */
    static BatchInput<TableChange> input(
            EmbeddingTablesPlan plan, BufferAllocator allocator, BatchPolicy policy) {
        RowBatchBuilder builder =
                new RowBatchBuilder(
                        allocator, policy.maxRows(), policy.maxBytes(), NAMES, plan.changes());
        return new BatchInput<>(builder, new VectorRows(builder, plan.changes().size())::append);
    }

    private boolean append(TableChange change) {
        row.putWord(EmbeddingTablesPlan.TABLE_COLUMN, change.table());
        row.putWord(EmbeddingTablesPlan.ID_COLUMN, change.id());
        if (change.isDelete()) {
            row.putNull(EmbeddingTablesPlan.VECTOR_COLUMN);
        } else {
            row.putText(EmbeddingTablesPlan.VECTOR_COLUMN, change.vector());
        }
        return builder.append(row);
    }
}
