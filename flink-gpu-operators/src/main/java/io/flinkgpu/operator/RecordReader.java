package io.flinkgpu.operator;

import io.flinkgpu.api.BadRecordException;
import io.flinkgpu.api.ErrorValues;
import io.flinkgpu.api.RefusedRecord;
import io.flinkgpu.api.ValueGetter;

import org.apache.flink.annotation.Internal;
import org.apache.flink.api.common.functions.RuntimeContext;
import org.apache.flink.metrics.Counter;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.streaming.api.operators.Output;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.util.OutputTag;

import java.io.Serializable;
import java.util.function.BiConsumer;

/**
 * Reads what records ask for or say. A record that nothing can be read of goes to a side output, or fails the
 * task. Travels in the job graph.
 *
 * @param <T> the record
 * @param <S> what is read of it
 */
@Internal
public final class RecordReader<T, S> implements Serializable {

    private static final long serialVersionUID = 1L;

    private final Purpose purpose;
    private final String stream;
    private final ValueGetter<T, S> getter;
    private final boolean needsTimestamps;
    private final OutputTag<RefusedRecord> refused;
    private final ErrorValues errors;
    private transient int subtask;
    private transient Counter deadLetters;
    private transient long received;

    /**
     * What is done with records, for errors.
     *
     * @param job {@code "a search"}
     * @param use {@code "be searched with"}
     */
    public record Purpose(String job, String use) implements Serializable {

        private static final long serialVersionUID = 1L;
    }

    /**
     * @param stream what the records are, in the plural
     * @param getter may throw a {@link BadRecordException}, whose message is shown
     * @param needsTimestamps whether a record without one fails the task
     * @param refused where a place is sent of a record that none can be read of; null if it fails the task
     */
    public RecordReader(
            Purpose purpose,
            String stream,
            ValueGetter<T, S> getter,
            boolean needsTimestamps,
            OutputTag<RefusedRecord> refused,
            ErrorValues errors) {
        this.purpose = purpose;
        this.stream = stream;
        this.getter = getter;
        this.needsTimestamps = needsTimestamps;
        this.refused = refused;
        this.errors = errors;
    }

    /** To be called once, before records are read. */
    public void open(RuntimeContext context) {
        subtask = context.getTaskInfo().getIndexOfThisSubtask();
        deadLetters = BatchMetrics.group(context.getMetricGroup()).counter("deadLetters");
    }

    /** What the record of an operator says, or null if its place is in the side output. */
    public S read(StreamRecord<T> element, Output<?> output) {
        return read(
                element.getValue(),
                element.hasTimestamp() ? element.getTimestamp() : null,
                (tag, record) ->
                        output.collect(
                                tag,
                                element.hasTimestamp()
                                        ? new StreamRecord<>(record, element.getTimestamp())
                                        : new StreamRecord<>(record)));
    }

    /** What the record of a function says, or null if its place is in the side output. */
    public S read(T record, ProcessFunction<T, ?>.Context context) {
        return read(record, context.timestamp(), context::output);
    }

    private S read(
            T record, Long timestamp, BiConsumer<OutputTag<RefusedRecord>, RefusedRecord> to) {
        received++;
        // Sources that assign none give the least one, which no watermark may be equal to.
        if (needsTimestamps && (timestamp == null || timestamp == Long.MIN_VALUE)) {
            throw new IllegalStateException(
                    purpose.job()
                            + " in event time needs records with timestamps: stream="
                            + stream
                            + "; call assignTimestampsAndWatermarks(..) on it, or leave out"
                            + " eventTime()");
        }
        S value;
        try {
            value = getter.get(record);
        } catch (BadRecordException e) {
            refuse(e.getMessage(), e, timestamp, to);
            return null;
        } catch (RuntimeException e) {
            refuse("its getter failed: " + errors.thrown(e), errors.cause(e), timestamp, to);
            return null;
        }
        if (value == null) {
            refuse("its getter gave null", null, timestamp, to);
        }
        return value;
    }

    private void refuse(
            String reason,
            Throwable cause,
            Long timestamp,
            BiConsumer<OutputTag<RefusedRecord>, RefusedRecord> to) {
        if (refused == null) {
            throw new IllegalArgumentException(
                    "a record cannot "
                            + purpose.use()
                            + ": stream="
                            + stream
                            + ", "
                            + reason
                            + "; or set deadLetters(tag), which puts such records aside"
                            + errors.remedy(),
                    cause);
        }
        deadLetters.inc();
        to.accept(refused, new RefusedRecord(subtask, received, timestamp, stream, reason));
    }
}
