package io.flinkgpu.sql.model;

import org.apache.flink.table.functions.AsyncPredictFunction;
import org.apache.flink.table.functions.PredictFunction;
import org.apache.flink.table.ml.AsyncPredictRuntimeProvider;
import org.apache.flink.table.ml.ModelProvider;
import org.apache.flink.table.ml.PredictRuntimeProvider;

/** A rule set as a model: in batches where the planner takes the asynchronous function, else row by row. */
final class RedactModel implements AsyncPredictRuntimeProvider, PredictRuntimeProvider {

    private final Redaction redaction;
    private final int texts;

    /**
     * @param texts how many there are in a row
     */
    RedactModel(Redaction redaction, int texts) {
        this.redaction = redaction;
        this.texts = texts;
    }

    @Override
    public AsyncPredictFunction createAsyncPredictFunction(Context context) {
        return new BatchPredict(redaction, texts);
    }

    @Override
    public PredictFunction createPredictFunction(Context context) {
        return new RowPredict(redaction, texts);
    }

    @Override
    public ModelProvider copy() {
        return this;
    }
}
