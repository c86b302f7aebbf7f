package io.flinkgpu.operator.redact;

import io.flinkgpu.backend.plan.RedactedBatch;
import io.flinkgpu.column.BatchCodec;
import io.flinkgpu.column.TextView;
import io.flinkgpu.operator.BatchEmitter;
import io.flinkgpu.operator.SplitText;

import org.apache.flink.streaming.api.operators.Output;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/** Emits each record with its redacted text, or as it came if nothing in it was redacted. */
final class RedactEmitter<T> implements BatchEmitter<T, RedactedBatch> {

    private final BatchCodec<T> codec;
    private final Output<StreamRecord<T>> output;
    private final RedactMetrics metrics;
    private RedactedBatch part;
    private TextView text;

    /** The rows of the record under way that were in earlier parts. */
    private final SplitText earlierRows = new SplitText();

    private boolean changed;

    RedactEmitter(BatchCodec<T> codec, Output<StreamRecord<T>> output, RedactMetrics metrics) {
        this.codec = codec;
        this.output = output;
        this.metrics = metrics;
    }

    @Override
    public int start(RedactedBatch part) {
        this.part = part;
        text = part.text();
        metrics.redacted(part);
        return part.rows();
    }

    @Override
    public void emit(StreamRecord<T> record, int firstRow, int rows, boolean last) {
        for (int row = firstRow; row < firstRow + rows && !changed; row++) {
            changed = part.changed(row);
        }
        if (!last) {
            earlierRows.add(bytes(firstRow, rows));
            return;
        }
        if (changed) {
            byte[] all = earlierRows.take(bytes(firstRow, rows));
            record.replace(codec.read(record.getValue(), all));
        }
        earlierRows.clear();
        changed = false;
        output.collect(record);
    }

    @Override
    public void completed(int rows, int bytes) {
        metrics.completed(rows, bytes);
    }

    private byte[] bytes(int firstRow, int rows) {
        return text.copy(text.start(firstRow), text.start(firstRow + rows));
    }
}
