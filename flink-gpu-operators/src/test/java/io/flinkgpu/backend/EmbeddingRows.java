package io.flinkgpu.backend;

import io.flinkgpu.api.ColumnType;
import io.flinkgpu.api.lookup.Bag;
import io.flinkgpu.api.lookup.EmbeddingTable;
import io.flinkgpu.api.lookup.LookupRequest;
import io.flinkgpu.api.lookup.LookupValues;
import io.flinkgpu.api.lookup.VectorChange;
import io.flinkgpu.backend.plan.EmbeddingPlan;
import io.flinkgpu.backend.plan.EmbeddingTablesPlan;
import io.flinkgpu.backend.plan.TransformedBatch;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.column.RowBatchBuilder;
import io.flinkgpu.column.RowValues;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.complex.ListVector;

import java.util.ArrayList;
import java.util.List;

/** Changes of vectors and requests as columns, and results back. */
public final class EmbeddingRows {

    private EmbeddingRows() {}

    /** Columns of changes, at least one; the caller closes them. */
    public static ColumnBatch changes(
            BufferAllocator allocator, EmbeddingTablesPlan plan, List<VectorChange> changes) {
        List<RowValues> rows = new ArrayList<>();
        long bytes = 0;
        for (VectorChange change : changes) {
            RowValues row = new RowValues(plan.changes().size());
            row.putWord(EmbeddingTablesPlan.TABLE_COLUMN, number(plan, change.table()));
            row.putWord(EmbeddingTablesPlan.ID_COLUMN, change.id());
            if (change.isDelete()) {
                row.putNull(EmbeddingTablesPlan.VECTOR_COLUMN);
            } else {
                byte[] elements = change.elements();
                row.putBytes(EmbeddingTablesPlan.VECTOR_COLUMN, elements, elements.length);
                bytes += elements.length;
            }
            rows.add(row);
        }
        return batch(allocator, plan.changes(), rows, bytes);
    }

    /** Columns of requests, at least one; the caller closes them. */
    public static ColumnBatch requests(
            BufferAllocator allocator, EmbeddingPlan plan, List<LookupRequest> requests) {
        List<RowValues> rows = new ArrayList<>();
        long bytes = 0;
        for (LookupRequest request : requests) {
            RowValues row = row(plan, request);
            rows.add(row);
            bytes += 12L * row.list(EmbeddingPlan.IDS_COLUMN).columns();
            bytes += 8L * request.bags().size() + 4L * request.dense().length;
        }
        return batch(allocator, plan.input(), rows, bytes);
    }

    private static RowValues row(EmbeddingPlan plan, LookupRequest request) {
        List<Long> ids = new ArrayList<>();
        List<Long> weights = new ArrayList<>();
        List<Long> bags = new ArrayList<>();
        List<Long> ends = new ArrayList<>();
        boolean isWeighted = false;
        for (Bag bag : request.bags()) {
            bags.add((long) EmbeddingPlan.bag(number(plan.tables(), bag.table()), bag.combiner()));
            for (int i = 0; i < bag.ids().length; i++) {
                ids.add(bag.ids()[i]);
                weights.add(word(bag.weights() == null ? 1 : bag.weights()[i]));
            }
            isWeighted |= bag.weights() != null;
            ends.add((long) ids.size());
        }
        List<Long> dense = new ArrayList<>();
        for (float number : request.dense()) {
            dense.add(word(number));
        }
        RowValues row = new RowValues(plan.input().size());
        row.putList(EmbeddingPlan.IDS_COLUMN, list(ids));
        row.putList(EmbeddingPlan.BAGS_COLUMN, list(bags));
        row.putList(EmbeddingPlan.BAG_ENDS_COLUMN, list(ends));
        row.putList(EmbeddingPlan.WEIGHTS_COLUMN, list(weights));
        if (!isWeighted) {
            row.putNull(EmbeddingPlan.WEIGHTS_COLUMN);
        }
        row.putList(EmbeddingPlan.DENSE_COLUMN, list(dense));
        return row;
    }

    private static long word(float number) {
        return Double.doubleToLongBits(number);
    }

    private static RowValues list(List<Long> words) {
        RowValues list = new RowValues(words.size());
        for (int i = 0; i < words.size(); i++) {
            list.putWord(i, words.get(i));
        }
        return list;
    }

    private static int number(EmbeddingTablesPlan plan, String table) {
        return plan.tables().stream().map(EmbeddingTable::name).toList().indexOf(table);
    }

    private static ColumnBatch batch(
            BufferAllocator allocator, List<ColumnType> types, List<RowValues> rows, long bytes) {
        List<String> names = types.stream().map(ColumnType::toString).toList();
        // Each column of lists gets an equal share.
        int all = Math.toIntExact(types.size() * (bytes + 64L * rows.size()));
        try (RowBatchBuilder builder =
                new RowBatchBuilder(allocator, rows.size(), all, names, types)) {
            for (RowValues row : rows) {
                if (!builder.append(row)) {
                    throw new AssertionError(
                            "a batch has room for all of its rows: rows=" + rows.size());
                }
            }
            return builder.build();
        }
    }

    /** The rows of a result. */
    public static List<LookupValues> values(TransformedBatch result) {
        ListVector values = (ListVector) result.columns().vector(EmbeddingPlan.VALUES_COLUMN);
        ListVector ends = (ListVector) result.columns().vector(EmbeddingPlan.ENDS_COLUMN);
        List<LookupValues> all = new ArrayList<>();
        for (int row = 0; row < result.columns().rows(); row++) {
            float[] floats =
                    new float[values.getElementEndIndex(row) - values.getElementStartIndex(row)];
            for (int i = 0; i < floats.length; i++) {
                floats[i] =
                        ((Float4Vector) values.getDataVector())
                                .get(values.getElementStartIndex(row) + i);
            }
            int[] ints = new int[ends.getElementEndIndex(row) - ends.getElementStartIndex(row)];
            for (int i = 0; i < ints.length; i++) {
                ints[i] =
                        ((IntVector) ends.getDataVector()).get(ends.getElementStartIndex(row) + i);
            }
            all.add(new LookupValues(floats, ints));
        }
        return all;
    }
}
