package io.flinkgpu.operator.redact;

import io.flinkgpu.backend.plan.RedactedBatch;
import io.flinkgpu.column.BatchCodec;
import io.flinkgpu.column.TextView;
import io.flinkgpu.operator.BatchEmitter;

import org.apache.flink.streaming.api.operators.Output;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

import java.io.ByteArrayOutputStream;

/** Emits each record with its redacted text, or as it came if nothing in it was redacted. */
final class RedactEmitter<T> implements BatchEmitter<T, RedactedBatch> {

    private final BatchCodec<T> codec;
    private final Output<StreamRecord<T>> output;
    private final RedactMetrics metrics;
    private RedactedBatch part;
    private TextView text;

    /** The rows of the record under way that were in earlier parts; null if there are none. */
    private ByteArrayOutputStream earlierRows;

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
            if (earlierRows == null) {
                earlierRows = new ByteArrayOutputStream();
            }
            earlierRows.writeBytes(bytes(firstRow, rows));
            return;
        }
        if (changed) {
            record.replace(codec.read(record.getValue(), allBytes(firstRow, rows)));
        }
        earlierRows = null;
        changed = false;
        output.collect(record);
    }

    @Override
    public void completed(int rows, int bytes) {
        metrics.completed(rows, bytes);
    }

    private byte[] allBytes(int firstRow, int rows) {
        byte[] lastRows = bytes(firstRow, rows);
        if (earlierRows == null) {
            return lastRows;
        }
        earlierRows.writeBytes(lastRows);
        return earlierRows.toByteArray();
    }

    private byte[] bytes(int firstRow, int rows) {
        return text.copy(text.start(firstRow), text.start(firstRow + rows));
    }
}
