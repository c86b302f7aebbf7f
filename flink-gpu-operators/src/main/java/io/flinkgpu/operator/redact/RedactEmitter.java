package io.flinkgpu.operator.redact;

import io.flinkgpu.backend.plan.RedactedBatch;
import io.flinkgpu.column.BatchCodec;
import io.flinkgpu.column.TextView;
import io.flinkgpu.operator.BatchEmitter;

import org.apache.flink.streaming.api.operators.Output;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/** Emits each record with its redacted text, or as it came if nothing in it was redacted. */
final class RedactEmitter<T> implements BatchEmitter<T, RedactedBatch> {

    private final BatchCodec<T> codec;
    private final Output<StreamRecord<T>> output;
    private final RedactMetrics metrics;
    private RedactedBatch part;
    private TextView text;

    /** Those of the record under way. */
    private final RedactedRows rows = new RedactedRows();

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
    public void emit(StreamRecord<T> record, int firstRow, int partRows, boolean last) {
        for (int row = firstRow; row < firstRow + partRows && !changed; row++) {
            changed = part.changed(row);
        }
        if (!last) {
            rows.addEarlier(text, firstRow, partRows);
            return;
        }
        if (changed) {
            rows.setLast(text, firstRow, partRows);
            record.replace(codec.read(record.getValue(), rows));
        }
        rows.clear();
        changed = false;
        output.collect(record);
    }

    @Override
    public void completed(int rows, int bytes) {
        metrics.completed(rows, bytes);
    }
}
