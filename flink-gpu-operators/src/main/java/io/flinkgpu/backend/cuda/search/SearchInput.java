package io.flinkgpu.backend.cuda.search;

import io.flinkgpu.backend.plan.SearchPlan;
import io.flinkgpu.column.ColumnBatch;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.util.MemoryUtil;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.complex.ListVector;

import java.nio.ByteOrder;

/** The queries of a batch in host memory. A view, valid while the batch is open. */
final class SearchInput {

    private final int rows;

    /** On the heap, as they are read one by one: where those of each row start, and the last end. */
    private final int[] starts;

    private final int[] elements;
    private final int[] ks;
    private final Float8Vector minScores;
    private final BitVector includesZero;
    private final IntVector masks;
    private final IntVector values;
    private final BigIntVector versions;

    SearchInput(ColumnBatch batch) {
        rows = batch.rows();
        ListVector lists = (ListVector) batch.vector(SearchPlan.ELEMENTS_COLUMN);
        starts = ints(lists.getOffsetBuffer(), 0, rows + 1);
        int first = starts[0];
        elements = ints(lists.getDataVector().getDataBuffer(), first, starts[rows] - first);
        for (int row = 0; row <= rows; row++) {
            starts[row] -= first;
        }
        ks = ints(batch.vector(SearchPlan.K_COLUMN).getDataBuffer(), 0, rows);
        minScores = (Float8Vector) batch.vector(SearchPlan.MIN_SCORE_COLUMN);
        includesZero = (BitVector) batch.vector(SearchPlan.INCLUDES_ZERO_COLUMN);
        masks = (IntVector) batch.vector(SearchPlan.MASK_COLUMN);
        values = (IntVector) batch.vector(SearchPlan.VALUE_COLUMN);
        versions = (BigIntVector) batch.vector(SearchPlan.VERSION_COLUMN);
    }

    private static int[] ints(ArrowBuf from, int start, int count) {
        int[] values = new int[count];
        from.nioBuffer((long) Integer.BYTES * start, Integer.BYTES * count)
                .order(ByteOrder.nativeOrder())
                .asIntBuffer()
                .get(values);
        return values;
    }

    int rows() {
        return rows;
    }

    /** How many elements a query has. */
    int size(int row) {
        return starts[row + 1] - starts[row];
    }

    int element(int row, int index) {
        return elements[starts[row] + index];
    }

    int k(int row) {
        return ks[row];
    }

    /** How many of so many documents a query can find at most. */
    int k(int row, long documents) {
        return (int) Math.min(ks[row], documents);
    }

    /** What a document has in common with the query at least. */
    int least(int row) {
        return 1 - includesZero.get(row);
    }

    /**
     * Writes the {@code search_query} struct but for its elements to host memory.
     *
     * @param k at most what was asked for
     * @param resultStart of its documents
     */
    void write(long to, int row, int k, int resultStart) {
        int mask = masks.get(row);
        MemoryUtil.putLong(to + SearchAbi.SEARCH_QUERY_VERSION, versions.get(row));
        putMinScore(to, minScores.get(row));
        MemoryUtil.putInt(to + SearchAbi.SEARCH_QUERY_K, k);
        MemoryUtil.putInt(to + SearchAbi.SEARCH_QUERY_SIZE, size(row));
        MemoryUtil.putInt(to + SearchAbi.SEARCH_QUERY_MASK, mask);
        MemoryUtil.putInt(to + SearchAbi.SEARCH_QUERY_VALUE, values.get(row) & mask);
        MemoryUtil.putInt(to + SearchAbi.SEARCH_QUERY_LEAST, least(row));
        MemoryUtil.putInt(to + SearchAbi.SEARCH_QUERY_RESULT_START, resultStart);
    }

    /** Writes a query that finds nothing. */
    static void writeNone(long to, int resultStart) {
        MemoryUtil.setMemory(to, SearchAbi.SEARCH_QUERY_BYTES, (byte) 0);
        putMinScore(to, Double.POSITIVE_INFINITY);
        MemoryUtil.putInt(to + SearchAbi.SEARCH_QUERY_K, 1);
        MemoryUtil.putInt(to + SearchAbi.SEARCH_QUERY_LEAST, 1);
        MemoryUtil.putInt(to + SearchAbi.SEARCH_QUERY_RESULT_START, resultStart);
    }

    private static void putMinScore(long to, double minScore) {
        MemoryUtil.putLong(
                to + SearchAbi.SEARCH_QUERY_MIN_SCORE, Double.doubleToRawLongBits(minScore));
    }
}
