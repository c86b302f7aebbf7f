package io.flinkgpu.backend.plan;

import io.flinkgpu.api.ColumnType;
import io.flinkgpu.api.lookup.Scoring;
import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.Plan;
import io.flinkgpu.backend.Resident;
import io.flinkgpu.backend.ResidentPlan;
import io.flinkgpu.backend.SampleBatch;
import io.flinkgpu.column.ColumnBatch;

import org.apache.flink.annotation.Internal;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.complex.ListVector;

import java.util.List;

/**
 * Looks bags of ids up in tables and scores what is found. Rows are as those of an {@link EmbeddingPlan}, and all
 * have the bags and as many numbers as the model reads. The result has the same columns: what the model gives, and
 * its number, as if it were one bag.
 *
 * @param lookup what is looked up
 */
@Internal
public record ScorePlan(EmbeddingPlan lookup, Scoring scoring) implements Plan<TransformedBatch> {

    private static final long serialVersionUID = 1L;

    /** Checks that the model reads what the lookup gives. */
    public ScorePlan {
        scoring.tablesOf(lookup.tables().tables());
    }

    @Override
    public String name() {
        return "Scoring";
    }

    @Override
    public List<ColumnType> input() {
        return lookup.input();
    }

    @Override
    public List<ResidentPlan> residents() {
        return lookup.residents();
    }

    @Override
    public ScorePlan small() {
        return new ScorePlan(lookup.small(), scoring);
    }

    @Override
    public void fillSmall(Resident resident, BufferAllocator allocator, int maxRows, int maxBytes)
            throws BackendException {
        lookup.fillSmall(resident, allocator, maxRows, maxBytes);
    }

    @Override
    public double moreDeviceNanos() {
        return Samples.moreNanos(new SmallTables(lookup.tables()), bags());
    }

    @Override
    public SampleBatch.Maker sample() {
        return Samples.requests(new SmallTables(lookup.tables()), bags(), scoring.numbers());
    }

    private int[] bags() {
        int[] tables = scoring.tablesOf(lookup.tables().tables());
        int[] bags = new int[tables.length];
        for (int i = 0; i < bags.length; i++) {
            bags[i] = EmbeddingPlan.bag(tables[i], scoring.features().get(i).combiner());
        }
        return bags;
    }

    /** The numbers that rows of a batch do not all have, for the error; null if they are what the model reads. */
    public String defectOf(ColumnBatch batch) {
        ListVector bags = (ListVector) batch.vector(EmbeddingPlan.BAGS_COLUMN);
        ListVector numbers = (ListVector) batch.vector(EmbeddingPlan.DENSE_COLUMN);
        for (int row = 0; row < batch.rows(); row++) {
            int count = bags.getElementEndIndex(row) - bags.getElementStartIndex(row);
            int given = numbers.getElementEndIndex(row) - numbers.getElementStartIndex(row);
            if (count != scoring.features().size() || given != scoring.numbers()) {
                return "a row has the bags and numbers of the model: row="
                        + row
                        + ", bags="
                        + count
                        + ", numbers="
                        + given
                        + "; check requests before they are batched";
            }
        }
        return null;
    }

    @Override
    public String defectOf(TransformedBatch result, ColumnBatch batch) {
        String defect = Plan.defectOfRows(result.columns().rows(), batch);
        if (defect != null) {
            return defect;
        }
        int width = scoring.model().outputWidth();
        ListVector values = (ListVector) result.columns().vector(EmbeddingPlan.VALUES_COLUMN);
        ListVector ends = (ListVector) result.columns().vector(EmbeddingPlan.ENDS_COLUMN);
        IntVector end = (IntVector) ends.getDataVector();
        for (int row = 0; row < batch.rows(); row++) {
            int start = ends.getElementStartIndex(row);
            if (values.getElementEndIndex(row) - values.getElementStartIndex(row) != width
                    || ends.getElementEndIndex(row) - start != 1
                    || end.get(start) != width) {
                return "a request gets what its model gives: row=" + row + ", outputs=" + width;
            }
        }
        return null;
    }

    @Override
    public String remedyForOneRow() {
        return lookup.remedyForOneRow();
    }
}
