package io.flinkgpu.operator;

import io.flinkgpu.column.ColumnBuilder;

import org.apache.flink.annotation.Internal;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

import org.apache.arrow.memory.OutOfMemoryException;

import java.util.function.Predicate;

/**
 * Batches of records that are kept until their results are there. Everything leaves in the order it came,
 * watermarks and other marks included, at the same places among the records: what is emitted does not depend
 * on where batches were cut.
 *
 * @param <IN> what comes in
 * @param <R> result of a batch
 */
@Internal
public final class RecordBatches<IN, R extends AutoCloseable> implements BatchFunction<IN, R> {

    private final BatchEngine<IN, R> engine;
    private final TypeSerializer<IN> copier;
    private final ColumnBuilder builder;
    private final Predicate<IN> appender;
    private final BatchEmitter<IN, R> emitter;
    private final Predicate<StreamRecord<IN>> alone;

    /** Null where a record that cannot be put into a batch fails the task. */
    private final RecordRefusals<IN> refusals;

    private PendingBatch<IN, R> open;

    /** The batch sent last, or null; it takes the marks while it is on its way and no other is open. */
    private PendingBatch<IN, R> sent;

    /**
     * @param input where records go
     * @param emitter makes output of results
     * @param alone does at once what there is to do with a record, or nothing and returns false if it needs
     *     a batch. Asked while no batch is open or on its way, so that all keep their order; null where
     *     all records need batches
     */
    public RecordBatches(
            BatchEngine<IN, R> engine,
            BatchContext<IN, ?> context,
            BatchInput<IN> input,
            BatchEmitter<IN, R> emitter,
            Predicate<StreamRecord<IN>> alone) {
        this(engine, context, input, emitter, alone, null);
    }

    /**
     * Likewise, with records refused.
     *
     * @param refusals what becomes of records that cannot be put into a batch; null if they fail the task
     */
    public RecordBatches(
            BatchEngine<IN, R> engine,
            BatchContext<IN, ?> context,
            BatchInput<IN> input,
            BatchEmitter<IN, R> emitter,
            Predicate<StreamRecord<IN>> alone,
            RecordRefusals<IN> refusals) {
        this.refusals = refusals;
        this.engine = engine;
        this.copier = context.copier();
        this.builder = input.builder();
        this.appender = input.appender();
        this.emitter = emitter;
        this.alone = alone;
        this.open = new PendingBatch<>(emitter, 0);
        engine.limitDelay(context.options().batchPolicy().maxDelay());
    }

    @Override
    public ColumnBuilder columns() {
        return builder;
    }

    @Override
    public boolean processAlone(StreamRecord<IN> element) {
        return alone != null
                && open.isEmpty()
                && !engine.hasBatchesInFlight()
                && alone.test(element);
    }

    @Override
    public boolean append(StreamRecord<IN> element) {
        IN value = element.getValue();
        try {
            if (!appender.test(value)) {
                return false;
            }
        } catch (OutOfMemoryException e) {
            throw e;
        } catch (RuntimeException e) {
            if (refusals == null) {
                throw e;
            }
            refusals.refused(element, e);
            return true;
        }
        if (refusals != null) {
            refusals.accepted();
        }
        open.add(copier == null ? value : copier.copy(value), element, builder.rows());
        return true;
    }

    @Override
    public boolean refuse(StreamRecord<IN> element, OutOfMemoryException reason) {
        if (refusals != null) {
            refusals.refused(element, reason);
        }
        return refusals != null;
    }

    /** A record may have no rows; it opens a batch nevertheless, which has its place. */
    @Override
    public boolean isEmpty() {
        return open.isEmpty();
    }

    @Override
    public PendingBatch<IN, R> take() {
        sent = open;
        sent.setBytes(builder.bytes());
        open = new PendingBatch<>(emitter, sent.records());
        return sent;
    }

    @Override
    public void watermark(Watermark watermark, Mark mark) throws Exception {
        if (watermark.equals(Watermark.MAX_WATERMARK)) {
            engine.drain(FlushReason.WATERMARK);
        }
        mark(mark);
    }

    @Override
    public void mark(Mark mark) throws Exception {
        if (!open.isEmpty()) {
            open.add(mark);
        } else if (sent != null && !sent.isEmitted()) {
            sent.add(mark);
        } else {
            mark.forward();
        }
    }
}
