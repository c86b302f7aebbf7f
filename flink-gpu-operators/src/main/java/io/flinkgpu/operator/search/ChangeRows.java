package io.flinkgpu.operator.search;

import io.flinkgpu.api.BatchPolicy;
import io.flinkgpu.api.search.SetElements;
import io.flinkgpu.backend.plan.CorpusPlan;
import io.flinkgpu.column.RowBatchBuilder;
import io.flinkgpu.column.RowValues;
import io.flinkgpu.operator.BatchInput;

import org.apache.flink.annotation.Internal;

import org.apache.arrow.memory.BufferAllocator;

import java.util.List;

/** Puts changes into batches. One thread only. */
@Internal
public final class ChangeRows {

    private static final List<String> NAMES = List.of("id", "elements", "attributes");

    private final RowBatchBuilder builder;
    private final RowValues row;
    private final PackedDocument.Reader reader = new PackedDocument.Reader(SetElements.MAX);

    private ChangeRows(RowBatchBuilder builder, int columns) {
        this.builder = builder;
        this.row = new RowValues(columns);
    }

    /** The bytes of a full batch. */
    static long fullBatchBytes(CorpusPlan plan, BatchPolicy policy) {
        return RowBatchBuilder.fullBatchBytes(policy.maxRows(), policy.maxBytes(), plan.changes());
    }

    /**
     * Where changes of a corpus go.
     *
     * @param allocator where the columns live; stays the caller's
     */
    public static BatchInput<DocumentChange> input(
            CorpusPlan plan, BufferAllocator allocator, BatchPolicy policy) {
        RowBatchBuilder builder =
                new RowBatchBuilder(
                        allocator, policy.maxRows(), policy.maxBytes(), NAMES, plan.changes());
        return new BatchInput<>(builder, new ChangeRows(builder, plan.changes().size())::append);
    }

    private boolean append(DocumentChange change) {
        row.putWord(CorpusPlan.ID_COLUMN, change.id());
        if (change.isDelete()) {
            row.putNull(CorpusPlan.ELEMENTS_COLUMN);
            row.putWord(CorpusPlan.ATTRIBUTES_COLUMN, 0);
        } else {
            reader.read(change.packed(), row);
        }
        return builder.append(row);
    }
}
