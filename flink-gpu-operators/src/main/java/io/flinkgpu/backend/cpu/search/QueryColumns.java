package io.flinkgpu.backend.cpu.search;

import io.flinkgpu.api.search.Similarity;
import io.flinkgpu.backend.plan.SearchPlan;
import io.flinkgpu.column.ColumnBatch;

import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.complex.ListVector;

/** The columns of a batch of queries. */
final class QueryColumns {

    private final Similarity similarity;
    private final int rows;
    private final ListVector elements;
    private final IntVector inLists;
    private final IntVector k;
    private final Float8Vector minScore;
    private final BitVector includesZero;
    private final IntVector mask;
    private final IntVector value;
    private final BigIntVector version;

    QueryColumns(Similarity similarity, ColumnBatch batch) {
        this.similarity = similarity;
        rows = batch.rows();
        elements = (ListVector) batch.vector(SearchPlan.ELEMENTS_COLUMN);
        inLists = (IntVector) elements.getDataVector();
        k = (IntVector) batch.vector(SearchPlan.K_COLUMN);
        minScore = (Float8Vector) batch.vector(SearchPlan.MIN_SCORE_COLUMN);
        includesZero = (BitVector) batch.vector(SearchPlan.INCLUDES_ZERO_COLUMN);
        mask = (IntVector) batch.vector(SearchPlan.MASK_COLUMN);
        value = (IntVector) batch.vector(SearchPlan.VALUE_COLUMN);
        version = (BigIntVector) batch.vector(SearchPlan.VERSION_COLUMN);
    }

    Similarity similarity() {
        return similarity;
    }

    int rows() {
        return rows;
    }

    int[] elements(int row) {
        int start = elements.getElementStartIndex(row);
        int[] values = new int[elements.getElementEndIndex(row) - start];
        for (int i = 0; i < values.length; i++) {
            values[i] = inLists.get(start + i);
        }
        return values;
    }

    int k(int row) {
        return k.get(row);
    }

    double minScore(int row) {
        return minScore.get(row);
    }

    boolean includesZero(int row) {
        return includesZero.get(row) != 0;
    }

    int mask(int row) {
        return mask.get(row);
    }

    int value(int row) {
        return value.get(row);
    }

    long version(int row) {
        return version.get(row);
    }
}
