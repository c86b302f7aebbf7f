package io.flinkgpu.backend;

import io.flinkgpu.api.ColumnType;
import io.flinkgpu.api.search.SetChange;
import io.flinkgpu.api.search.SetQuery;
import io.flinkgpu.api.search.Similarity;
import io.flinkgpu.backend.plan.CorpusPlan;
import io.flinkgpu.backend.plan.SearchPlan;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.column.RowBatchBuilder;
import io.flinkgpu.column.RowValues;
import io.flinkgpu.testkit.VersionedQuery;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.complex.ListVector;

import java.util.ArrayList;
import java.util.List;

/** Changes of documents and queries as columns, and back. */
public final class SearchRows {

    private static final List<ColumnType> CHANGES = new CorpusPlan("", 0).changes();
    private static final List<ColumnType> QUERIES =
            new SearchPlan(new CorpusPlan("", 0), Similarity.MAX).input();

    private SearchRows() {}

    /** Columns of changes; the caller closes them. */
    public static ColumnBatch changes(BufferAllocator allocator, List<SetChange> changes) {
        List<RowValues> rows = new ArrayList<>();
        long elements = 0;
        for (SetChange change : changes) {
            RowValues row = new RowValues(CHANGES.size());
            row.putWord(CorpusPlan.ID_COLUMN, change.id());
            if (change.isDelete()) {
                row.putNull(CorpusPlan.ELEMENTS_COLUMN);
            } else {
                row.putList(CorpusPlan.ELEMENTS_COLUMN, list(change.elements()));
                elements += change.elements().length;
            }
            row.putWord(CorpusPlan.ATTRIBUTES_COLUMN, change.attributes());
            rows.add(row);
        }
        return batch(allocator, CHANGES, rows, elements);
    }

    /** Columns of queries; the caller closes them. */
    public static ColumnBatch queries(BufferAllocator allocator, List<VersionedQuery> queries) {
        List<RowValues> rows = new ArrayList<>();
        long elements = 0;
        for (VersionedQuery versioned : queries) {
            SetQuery query = versioned.query();
            RowValues row = new RowValues(QUERIES.size());
            row.putList(SearchPlan.ELEMENTS_COLUMN, list(query.elements()));
            row.putWord(SearchPlan.K_COLUMN, query.k());
            row.putWord(SearchPlan.MIN_SCORE_COLUMN, Double.doubleToLongBits(query.minScore()));
            row.putWord(SearchPlan.INCLUDES_ZERO_COLUMN, query.includesZero() ? 1 : 0);
            row.putWord(SearchPlan.MASK_COLUMN, query.attributeMask());
            row.putWord(SearchPlan.VALUE_COLUMN, query.attributeValue());
            row.putWord(SearchPlan.VERSION_COLUMN, versioned.version());
            rows.add(row);
            elements += query.elements().length;
        }
        return batch(allocator, QUERIES, rows, elements);
    }

    private static RowValues list(int[] elements) {
        RowValues list = new RowValues(elements.length);
        for (int i = 0; i < elements.length; i++) {
            list.putWord(i, elements[i]);
        }
        return list;
    }

    /** A builder makes no batch without a row: such a one is none of the rows of one. */
    private static ColumnBatch batch(
            BufferAllocator allocator,
            List<ColumnType> types,
            List<RowValues> rows,
            long elements) {
        if (rows.isEmpty()) {
            RowValues row = new RowValues(types.size());
            row.putList(types.get(0).kind() == ColumnType.Kind.LIST ? 0 : 1, list(new int[0]));
            try (ColumnBatch one = batch(allocator, types, List.of(row), 0)) {
                return one.slice(0, 0);
            }
        }
        int bytes = Math.toIntExact(Integer.BYTES * elements + 64L * rows.size());
        List<String> names = types.stream().map(ColumnType::toString).toList();
        try (RowBatchBuilder builder =
                new RowBatchBuilder(allocator, rows.size(), bytes, names, types)) {
            for (RowValues row : rows) {
                if (!builder.append(row)) {
                    throw new AssertionError(
                            "a batch has room for all of its rows: rows=" + rows.size());
                }
            }
            return builder.build();
        }
    }

    /** The changes of a batch. */
    static List<SetChange> changes(ColumnBatch batch) {
        BigIntVector ids = (BigIntVector) batch.vector(CorpusPlan.ID_COLUMN);
        ListVector elements = (ListVector) batch.vector(CorpusPlan.ELEMENTS_COLUMN);
        IntVector attributes = (IntVector) batch.vector(CorpusPlan.ATTRIBUTES_COLUMN);
        List<SetChange> changes = new ArrayList<>();
        for (int row = 0; row < batch.rows(); row++) {
            long id = ids.get(row);
            changes.add(
                    elements.isNull(row)
                            ? SetChange.delete(id)
                            : SetChange.upsert(id, elements(elements, row))
                                    .withAttributes(attributes.get(row)));
        }
        return changes;
    }

    /** The queries of a batch. */
    static List<VersionedQuery> queries(ColumnBatch batch) {
        ListVector elements = (ListVector) batch.vector(SearchPlan.ELEMENTS_COLUMN);
        IntVector k = (IntVector) batch.vector(SearchPlan.K_COLUMN);
        Float8Vector minScores = (Float8Vector) batch.vector(SearchPlan.MIN_SCORE_COLUMN);
        BitVector includesZero = (BitVector) batch.vector(SearchPlan.INCLUDES_ZERO_COLUMN);
        IntVector masks = (IntVector) batch.vector(SearchPlan.MASK_COLUMN);
        IntVector values = (IntVector) batch.vector(SearchPlan.VALUE_COLUMN);
        BigIntVector versions = (BigIntVector) batch.vector(SearchPlan.VERSION_COLUMN);
        List<VersionedQuery> queries = new ArrayList<>();
        for (int row = 0; row < batch.rows(); row++) {
            SetQuery query =
                    SetQuery.of(k.get(row), elements(elements, row))
                            .withMinScore(minScores.get(row))
                            .withZero(includesZero.get(row) != 0)
                            .withAttributes(masks.get(row), values.get(row));
            queries.add(new VersionedQuery(query, versions.get(row)));
        }
        return queries;
    }

    private static int[] elements(ListVector lists, int row) {
        IntVector elements = (IntVector) lists.getDataVector();
        int from = lists.getElementStartIndex(row);
        int[] set = new int[lists.getElementEndIndex(row) - from];
        for (int i = 0; i < set.length; i++) {
            set[i] = elements.get(from + i);
        }
        return set;
    }
}
