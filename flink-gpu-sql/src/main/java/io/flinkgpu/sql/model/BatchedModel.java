package io.flinkgpu.sql.model;

import io.flinkgpu.api.GpuOptions;

import org.apache.flink.table.functions.AsyncPredictFunction;
import org.apache.flink.table.ml.AsyncPredictRuntimeProvider;
import org.apache.flink.table.ml.ModelProvider;

/**
 * A model in batches alone, so not with {@code MAP['async', 'false']}.
 *
 * @param options of these, backend, batch policy and memory limit are used
 */
record BatchedModel(RowModel<?, ?, ?> model, GpuOptions options)
        implements AsyncPredictRuntimeProvider {

    @Override
    public AsyncPredictFunction createAsyncPredictFunction(Context context) {
        return new ModelPredict<>(model, options);
    }

    @Override
    public ModelProvider copy() {
        return this;
    }
}
