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

    /** Null where a record that cannot be made fails the task. */
    private final Quarantine<T> quarantine;

    /** Null where findings are of no interest. */
    private final RecordFindings<T> findings;

    private RedactedBatch part;
    private TextView text;

    /** Those of the record under way. */
    private final RedactedRows rows = new RedactedRows();

    private boolean changed;
    private boolean refused;

    RedactEmitter(
            BatchCodec<T> codec,
            Output<StreamRecord<T>> output,
            RedactMetrics metrics,
            Quarantine<T> quarantine,
            RecordFindings<T> findings) {
        this.findings = findings;
        this.quarantine = quarantine;
        this.codec = codec;
        this.output = output;
        this.metrics = metrics;
    }

    @Override
    public int start(RedactedBatch part) {
        this.part = part;
        text = part.text();
        metrics.redacted(part);
        if (findings != null) {
            findings.start(part);
        }
        return part.rows();
    }

    @Override
    public void emit(StreamRecord<T> record, int firstRow, int partRows, boolean last) {
        for (int row = firstRow; row < firstRow + partRows && !changed; row++) {
            changed = part.changed(row);
        }
        // Of several fields one may be changed before another is refused.
        for (int row = firstRow; quarantine != null && row < firstRow + partRows; row++) {
            refused |= part.refused(row);
        }
        // Of a row that was refused there was no memory to find anything.
        if (findings != null && !refused) {
            findings.add(record, firstRow, partRows);
        }
        if (!last) {
            rows.addEarlier(text, firstRow, partRows);
            return;
        }
        if (quarantine != null) {
            quarantine.next();
        }
        boolean isWritten = !refused;
        if (refused) {
            quarantine.notRedacted(record);
        } else if (changed) {
            rows.setLast(text, firstRow, partRows);
            isWritten = write(record);
        }
        rows.clear();
        changed = false;
        refused = false;
        if (findings != null) {
            findings.end(record, isWritten);
        }
        if (isWritten) {
            output.collect(record);
        }
    }

    /** Whether the record has the redacted text; if not, it must not leave. */
    private boolean write(StreamRecord<T> record) {
        try {
            record.replace(codec.read(record.getValue(), rows));
            return true;
        } catch (RuntimeException e) {
            if (quarantine == null) {
                throw e;
            }
            quarantine.notWritten(record, e);
            return false;
        }
    }

    @Override
    public void completed(int rows, int bytes) {
        metrics.completed(rows, bytes);
    }
}
