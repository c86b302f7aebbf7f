package io.flinkgpu.operator.search;

import io.flinkgpu.api.BatchPolicy;
import io.flinkgpu.api.ColumnType;
import io.flinkgpu.api.search.SetElements;
import io.flinkgpu.api.search.SetQuery;
import io.flinkgpu.backend.plan.SearchPlan;
import io.flinkgpu.column.RowBatchBuilder;
import io.flinkgpu.column.RowValues;
import io.flinkgpu.operator.BatchInput;

import org.apache.flink.annotation.Internal;

import org.apache.arrow.memory.BufferAllocator;

import java.util.List;

/** Puts queries into batches. One thread only. */
@Internal
public final class QueryRows {

    /** More in a batch is no faster, and a barrier waits for batches. */
    private static final int MAX_QUERIES = 1_024;

    /** For more documents in the answers of a batch another one is started. */
    private static final long MAX_DOCUMENTS = 1 << 22;

    private static final List<String> NAMES =
            List.of("elements", "k", "minScore", "includesZero", "mask", "value", "version");

    private final RowBatchBuilder builder;
    private final RowValues row;

    /** By the number of elements; made when needed. */
    private final RowValues[] lists = new RowValues[SetElements.MAX + 1];

    /** That the answers of the open batch may have. */
    private long documents;

    /**
     * @param allocator where the columns live; stays the caller's
     */
    public QueryRows(SearchPlan plan, BufferAllocator allocator, BatchPolicy policy) {
        builder =
                new RowBatchBuilder(
                        allocator, maxRows(policy), policy.maxBytes(), NAMES, plan.input());
        row = new RowValues(plan.input().size());
    }

    /** The bytes of a full batch. */
    static long fullBatchBytes(List<ColumnType> types, BatchPolicy policy) {
        return RowBatchBuilder.fullBatchBytes(maxRows(policy), policy.maxBytes(), types);
    }

    private static int maxRows(BatchPolicy policy) {
        return Math.min(MAX_QUERIES, policy.maxRows());
    }

    /** Where queries go. */
    public <Q> BatchInput<NumberedQuery<Q>> input() {
        return new BatchInput<>(builder, numbered -> append(numbered.query(), numbered.version()));
    }

    private boolean append(SetQuery query, long version) {
        if (builder.rows() == 0) {
            documents = 0;
        } else if (documents + query.k() > MAX_DOCUMENTS) {
            return false;
        }
        int[] elements = query.elements();
        if (lists[elements.length] == null) {
            lists[elements.length] = new RowValues(elements.length);
        }
        RowValues list = lists[elements.length];
        for (int i = 0; i < elements.length; i++) {
            list.putWord(i, elements[i]);
        }
        row.putList(SearchPlan.ELEMENTS_COLUMN, list);
        row.putWord(SearchPlan.K_COLUMN, query.k());
        row.putWord(SearchPlan.MIN_SCORE_COLUMN, Double.doubleToLongBits(query.minScore()));
        row.putWord(SearchPlan.INCLUDES_ZERO_COLUMN, query.includesZero() ? 1 : 0);
        row.putWord(SearchPlan.MASK_COLUMN, query.attributeMask());
        row.putWord(SearchPlan.VALUE_COLUMN, query.attributeValue());
        row.putWord(SearchPlan.VERSION_COLUMN, version);
        if (!builder.append(row)) {
            return false;
        }
        documents += query.k();
        return true;
    }
}
