package io.flinkgpu.backend.cuda.lookup;

import io.flinkgpu.backend.plan.EmbeddingPlan;
import io.flinkgpu.backend.plan.ScorePlan;
import io.flinkgpu.column.ColumnBatch;

import org.apache.arrow.vector.complex.ListVector;

/**
 * Where the columns of requests are in host memory. A view, valid while the batch is open.
 *
 * @param rows at least one
 * @param ids of the first row's first id
 * @param idOffsets of the rows' ids; they count from the first one
 * @param bags of the first row's first bag, likewise {@code bagEnds}
 * @param weights of the first row's first weight
 * @param weightCount 0 if no row has weights
 * @param numbers of the first row's first number
 * @param defect why a model cannot read the rows; null if it can, or none is to
 */
record LookupInput(
        int rows,
        long ids,
        int idCount,
        long idOffsets,
        long bags,
        int bagCount,
        long bagOffsets,
        long bagEnds,
        long weights,
        int weightCount,
        long weightOffsets,
        long numbers,
        String defect) {

    static LookupInput of(ColumnBatch batch) {
        return of(batch, null);
    }

    /** Rows for a model. */
    static LookupInput of(ColumnBatch batch, ScorePlan plan) {
        Lists ids = Lists.of(batch, EmbeddingPlan.IDS_COLUMN, Long.BYTES);
        Lists bags = Lists.of(batch, EmbeddingPlan.BAGS_COLUMN, Integer.BYTES);
        Lists ends = Lists.of(batch, EmbeddingPlan.BAG_ENDS_COLUMN, Integer.BYTES);
        Lists weights = Lists.of(batch, EmbeddingPlan.WEIGHTS_COLUMN, Float.BYTES);
        Lists numbers = Lists.of(batch, EmbeddingPlan.DENSE_COLUMN, Float.BYTES);
        return new LookupInput(
                batch.rows(),
                ids.first,
                ids.count,
                ids.offsets,
                bags.first,
                bags.count,
                bags.offsets,
                ends.first,
                weights.first,
                weights.count,
                weights.offsets,
                numbers.first,
                plan == null ? null : plan.defectOf(batch));
    }

    /** Whether there is a bag where there are ids, as kernels count on. */
    boolean isComplete() {
        return bagCount > 0 || idCount == 0;
    }

    private record Lists(long first, int count, long offsets) {

        static Lists of(ColumnBatch batch, int column, int elementBytes) {
            ListVector lists = (ListVector) batch.vector(column);
            int start = lists.getElementStartIndex(0);
            int end = lists.getElementEndIndex(batch.rows() - 1);
            long data = lists.getDataVector().getDataBuffer().memoryAddress();
            return new Lists(
                    data + (long) elementBytes * start,
                    end - start,
                    lists.getOffsetBuffer().memoryAddress());
        }
    }
}
