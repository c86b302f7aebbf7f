package io.flinkgpu.sql.model;

import io.flinkgpu.Backends;
import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.backend.OpenRequest;

import org.apache.flink.annotation.Internal;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.functions.FunctionContext;

import java.util.Collection;
import java.util.concurrent.CompletableFuture;

/**
 * Asks a model for the rows that are on their way at the same time as batches.
 *
 * @param <Q> a request
 * @param <A> its answer
 * @param <R> result of a batch
 */
@Internal
public final class ModelPredict<Q, A, R extends AutoCloseable> extends QuietPredict {

    private static final long serialVersionUID = 1L;

    private final RowModel<Q, A, R> model;
    private final GpuOptions options;
    private transient ModelBatches<Q, A, R> batches;

    ModelPredict(RowModel<Q, A, R> model, GpuOptions options) {
        this.model = model;
        this.options = options;
    }

    @Override
    public void open(FunctionContext context) throws Exception {
        int subtask = context.getTaskInfo().getIndexOfThisSubtask();
        int subtasks = context.getTaskInfo().getNumberOfParallelSubtasks();
        batches =
                ModelBatches.open(
                        model,
                        options.batchPolicy(),
                        Backends.of(options),
                        new OpenRequest(
                                options.memoryLimitBytes(), subtask, subtasks, 0, new byte[0]),
                        "gpu-model-" + subtask);
    }

    @Override
    public CompletableFuture<Collection<RowData>> asyncPredict(RowData input) {
        Q request = model.request(input);
        return request == null
                ? CompletableFuture.completedFuture(model.rows(null))
                : batches.ask(request).thenApply(model::rows);
    }

    @Override
    public void close() {
        if (batches != null) {
            batches.close();
        }
    }
}
