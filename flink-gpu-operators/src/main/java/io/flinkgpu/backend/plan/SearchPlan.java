package io.flinkgpu.backend.plan;

import io.flinkgpu.api.ColumnType;
import io.flinkgpu.api.search.Similarity;
import io.flinkgpu.backend.Plan;
import io.flinkgpu.backend.ResidentPlan;
import io.flinkgpu.backend.SampleBatch;
import io.flinkgpu.column.ColumnBatch;

import org.apache.flink.annotation.Internal;

import java.util.List;

/**
 * Finds for each query, a row, the documents whose sets are most like its own. A row says how much of the
 * corpus it sees: {@link #VERSION_COLUMN} is the number of rows of changes, of all batches that were ever
 * applied, of which it sees the first; each earlier batch of queries sees at most as many. So changes may be
 * applied before queries that came first.
 *
 * @param corpus what is searched
 */
@Internal
public record SearchPlan(CorpusPlan corpus, Similarity similarity) implements Plan<SearchedBatch> {

    private static final long serialVersionUID = 1L;

    /** Sorted as unsigned numbers, each once, none of them null. */
    public static final int ELEMENTS_COLUMN = 0;

    public static final int K_COLUMN = 1;
    public static final int MIN_SCORE_COLUMN = 2;
    public static final int INCLUDES_ZERO_COLUMN = 3;
    public static final int MASK_COLUMN = 4;
    public static final int VALUE_COLUMN = 5;
    public static final int VERSION_COLUMN = 6;

    static final List<ColumnType> INPUT =
            List.of(
                    CorpusPlan.ELEMENTS,
                    ColumnType.INT,
                    ColumnType.DOUBLE,
                    ColumnType.BOOLEAN,
                    ColumnType.INT,
                    ColumnType.INT,
                    ColumnType.LONG);

    @Override
    public String name() {
        return "Set search";
    }

    @Override
    public List<ColumnType> input() {
        return INPUT;
    }

    @Override
    public List<ResidentPlan> residents() {
        return List.of(corpus);
    }

    /** What a search takes is up to the documents, of which there are none when it is compiled. */
    @Override
    public boolean isFasterOnDevice() {
        return true;
    }

    @Override
    public SampleBatch.Maker sample() {
        return Samples.queries();
    }

    @Override
    public String defectOf(SearchedBatch result, ColumnBatch batch) {
        String defect = Plan.defectOfRows(result.queries(), batch);
        return defect != null ? defect : result.defectOf(similarity, batch);
    }

    @Override
    public String remedyForOneRow() {
        return "raise memoryLimitBytes or ask for fewer documents";
    }
}
