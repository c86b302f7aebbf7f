package io.flinkgpu.sql.model;

import io.flinkgpu.Backends;
import io.flinkgpu.backend.OpenRequest;

import org.apache.flink.annotation.Internal;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.functions.FunctionContext;

import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Redacts the rows that are on their way at the same time as batches. */
@Internal
public final class BatchPredict extends QuietPredict {

    private static final long serialVersionUID = 1L;

    private final Redaction redaction;
    private final int texts;
    private transient TextBatches batches;

    BatchPredict(Redaction redaction, int texts) {
        this.redaction = redaction;
        this.texts = texts;
    }

    @Override
    public void open(FunctionContext context) throws Exception {
        int subtask = context.getTaskInfo().getIndexOfThisSubtask();
        int subtasks = context.getTaskInfo().getNumberOfParallelSubtasks();
        batches =
                TextBatches.open(
                        redaction,
                        Backends.of(redaction.options()),
                        new OpenRequest(
                                redaction.options().memoryLimitBytes(),
                                subtask,
                                subtasks,
                                0,
                                redaction.loadKey()),
                        "gpu-redact-model-" + subtask);
    }

    @Override
    public CompletableFuture<Collection<RowData>> asyncPredict(RowData input) {
        byte[][] row = new byte[texts][];
        for (int i = 0; i < texts; i++) {
            row[i] = input.isNullAt(i) ? null : input.getString(i).toBytes();
        }
        return batches.redact(row).thenApply(BatchPredict::row);
    }

    @Override
    public void close() {
        if (batches != null) {
            batches.close();
        }
    }

    private static Collection<RowData> row(byte[][] redacted) {
        GenericRowData row = new GenericRowData(redacted.length);
        for (int i = 0; i < redacted.length; i++) {
            row.setField(i, redacted[i] == null ? null : StringData.fromBytes(redacted[i]));
        }
        return List.of(row);
    }
}
