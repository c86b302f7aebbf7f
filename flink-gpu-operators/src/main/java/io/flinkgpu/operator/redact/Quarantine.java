package io.flinkgpu.operator.redact;

import io.flinkgpu.api.LineChunk;
import io.flinkgpu.api.RefusedRecord;
import io.flinkgpu.operator.BatchContext;
import io.flinkgpu.operator.BatchMetrics;
import io.flinkgpu.operator.RecordRefusals;

import org.apache.flink.metrics.Counter;
import org.apache.flink.streaming.api.operators.Output;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.util.OutputTag;

import org.apache.arrow.memory.OutOfMemoryException;

/**
 * Sends the places of records that cannot be redacted to a side output, and of no record its text. Messages
 * of exceptions are the codec's, which show nothing of records unless the job asks for it. Task thread only.
 */
final class Quarantine<T> implements RecordRefusals<T> {

    private final OutputTag<RefusedRecord> tag;
    private final Output<?> output;
    private final Counter quarantined;
    private final int subtask;
    private final RecordNumbers numbers = new RecordNumbers();

    /** The number of the record that is emitted. */
    private long emitted;

    Quarantine(OutputTag<RefusedRecord> tag, BatchContext<T, T> context) {
        this.tag = tag;
        this.output = context.output();
        this.quarantined = BatchMetrics.group(context.metrics()).counter("quarantinedRecords");
        this.subtask = context.runtime().getTaskInfo().getIndexOfThisSubtask();
    }

    @Override
    public void accepted() {
        numbers.accepted();
    }

    @Override
    public void refused(StreamRecord<T> record, RuntimeException reason) {
        send(
                record,
                numbers.refused(),
                reason instanceof OutOfMemoryException
                        ? "it does not fit into the operator's memory; raise memoryLimitBytes"
                        : "its text cannot be read: " + reason.getMessage());
    }

    /** The next of the records that were accepted is emitted, or refused. */
    void next() {
        emitted = numbers.next();
    }

    /** The record that was {@link #next} is not emitted. */
    void notWritten(StreamRecord<T> record, RuntimeException reason) {
        send(record, emitted, "it cannot be made with the redacted text: " + reason.getMessage());
    }

    /** Likewise, as there was no memory for what its text becomes. */
    void notRedacted(StreamRecord<T> record) {
        send(
                record,
                emitted,
                "its redacted text does not fit into the operator's memory; raise memoryLimitBytes");
    }

    private void send(StreamRecord<T> record, long number, String reason) {
        quarantined.inc();
        String place =
                record.getValue() instanceof LineChunk chunk
                        ? "file=" + chunk.file() + ", offsetBytes=" + chunk.offsetBytes()
                        : null;
        StreamRecord<RefusedRecord> refused =
                new StreamRecord<>(
                        new RefusedRecord(
                                subtask,
                                number,
                                record.hasTimestamp() ? record.getTimestamp() : null,
                                place,
                                reason));
        if (record.hasTimestamp()) {
            refused.setTimestamp(record.getTimestamp());
        }
        output.collect(tag, refused);
    }
}
