package io.flinkgpu.operator.window;

import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.backend.Backend;
import io.flinkgpu.backend.plan.AggregatePlan;
import io.flinkgpu.backend.plan.GroupedBatch;
import io.flinkgpu.backend.plan.KeyKind;
import io.flinkgpu.column.RowValues;
import io.flinkgpu.column.ValueBatchBuilder;
import io.flinkgpu.column.ValueReader;
import io.flinkgpu.operator.BatchOperator;
import io.flinkgpu.operator.FlushReason;

import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.runtime.watermarkstatus.WatermarkStatus;

import org.apache.arrow.memory.OutOfMemoryException;

/**
 * Checks records and aggregates those of a batch by key and slice, so that few partials are sent to the
 * keys' subtasks instead of many records.
 *
 * <p>The results of the windows are the same as if every record had been sent: partials commute, and a
 * record that would make a difference at once is sent as it came. Such is one that is late for any of
 * its windows here, at this subtask's watermark. The windows' watermark is never ahead of it, as long as
 * the input has not been idle; a slice that leaves before the watermark reaches its threshold is late
 * nowhere. Watermarks below the threshold of all rows pass the batch, which stays open. Once the input
 * has been idle the windows' watermark may be ahead of this one, by what nobody here can know, so from
 * then on every record is sent as it came.
 *
 * <p>After a restore this watermark starts again, as the windows' does. The shuffle between the two must
 * have aligned barriers: watermarks that an unaligned checkpoint took out of it would be given to the
 * windows alone.
 *
 * <p>No batch is open when a checkpoint barrier passes, so the operator has no state. A batch that
 * failed, and all that came behind it, is never emitted. All methods are the task thread's.
 *
 * @param <K> the key
 * @param <T> the record
 */
final class LocalAggregateOperator<K, T>
        extends BatchOperator<T, WindowInput<K, T>, LocalBatch<K, T>, GroupedBatch> {

    private static final long serialVersionUID = 1L;

    private final transient LocalAggregation<K, T> aggregation;
    private final transient WindowShape shape;

    private transient RecordReader<K, T> reader;
    private transient RowValues values;
    private transient LocalOutput<K, T> local;
    private transient LocalGain gain;
    private transient SliceCache slices;

    /** Null where every record is sent as it came. */
    private transient OpenBatch<K> open;

    private transient boolean wasIdle;
    private transient long watermark = Long.MIN_VALUE;

    /** At most the thresholds of all rows in flight. */
    private transient long inFlightThreshold = Long.MAX_VALUE;

    LocalAggregateOperator(
            StreamOperatorParameters<WindowInput<K, T>> parameters,
            LocalAggregation<K, T> aggregation) {
        super(parameters);
        this.aggregation = aggregation;
        this.shape = aggregation.shape();
    }

    @Override
    public void open() throws Exception {
        super.open();
        reader =
                new RecordReader<>(
                        aggregation.selector(),
                        new ValueReader<>(aggregation.aggregates()),
                        shape.isEventTime());
        values = new RowValues(aggregation.specs().size());
        gain = new LocalGain();
        slices = new SliceCache(shape);
        local =
                new LocalOutput<>(
                        output,
                        aggregation.deadLetters(),
                        new GroupPartials(aggregation.specs()),
                        gain,
                        getMetricGroup());
        if (aggregation.usesBackend()) {
            prepareBatches();
        }
    }

    private void prepareBatches() throws Exception {
        GpuOptions options = aggregation.options();
        Backend backend =
                openBackend(
                        new AggregateProgram(
                                aggregation.backend(),
                                aggregation.fallback(),
                                options.memoryLimitBytes(),
                                getRuntimeContext(),
                                new AggregatePlan(KeyKind.ID, aggregation.specs())));
        TypeSerializer<K> keySerializer =
                aggregation.keyType().createSerializer(getExecutionConfig().getSerializerConfig());
        open =
                new OpenBatch<>(
                        new ValueBatchBuilder(
                                backend.allocator(),
                                options.batchPolicy().maxRows(),
                                options.batchPolicy().maxBytes(),
                                aggregation.valueTypes()),
                        keySerializer,
                        shape.isSession());
    }

    @Override
    public void processElement(StreamRecord<T> element) throws Exception {
        K key;
        try {
            key = reader.read(element, values);
        } catch (BadRecordException e) {
            local.refused(element, e);
            return;
        }
        boolean aggregated =
                open != null
                        && !wasIdle
                        && (shape.isSession()
                                ? aggregateSession(key, element.getTimestamp())
                                : aggregate(key, element.getTimestamp()));
        if (!aggregated) {
            local.raw(element);
        }
    }

    @Override
    public void processWatermark(Watermark mark) throws Exception {
        if (open != null) {
            if (open.rows() > 0 && mark.getTimestamp() >= open.threshold()) {
                flush(FlushReason.WATERMARK);
            }
            if (!inFlight.isEmpty() && mark.getTimestamp() >= inFlightThreshold) {
                inFlight.awaitAll();
            }
        }
        watermark = mark.getTimestamp();
        super.processWatermark(mark);
    }

    @Override
    public void processWatermarkStatus(WatermarkStatus status) throws Exception {
        if (status.isIdle()) {
            drain(FlushReason.IDLE);
            wasIdle = true;
        }
        super.processWatermarkStatus(status);
    }

    /**
     * Adds a row to the batch.
     *
     * @return false if it must be sent as it came
     */
    private boolean aggregate(K key, long timestamp) throws Exception {
        slices.find(timestamp);
        if (slices.threshold() <= watermark || gain.takeRaw()) {
            return false;
        }
        add(key, slices.startMillis(), slices.endMillis(), slices.threshold());
        return true;
    }

    private boolean aggregateSession(K key, long timestamp) throws Exception {
        long end = shape.sliceEnd(timestamp);
        if (!shape.isOpen(timestamp, end, watermark)) {
            // It may belong to a session that the rows before it make.
            drain(FlushReason.LATE_RECORD);
            return false;
        }
        long threshold = shape.threshold(timestamp, end);
        // At the watermark of another input the session that it extends may fire without it.
        if (threshold <= watermark || gain.takeRaw()) {
            return false;
        }
        add(key, timestamp, end, threshold);
        return true;
    }

    private void add(K key, long startMillis, long endMillis, long threshold) throws Exception {
        try {
            open.add(key, startMillis, endMillis, threshold, values);
        } catch (OutOfMemoryException e) {
            if (inFlight.isEmpty()) {
                throw new IllegalStateException(
                        "no memory for a batch: "
                                + e.getMessage()
                                + "; raise memoryLimitBytes or lower the batch policy",
                        e);
            }
            inFlight.awaitAll();
            add(key, startMillis, endMillis, threshold);
            return;
        }
        if (open.isFull()) {
            boolean outOfRows = open.rows() == aggregation.options().batchPolicy().maxRows();
            flush(outOfRows ? FlushReason.ROWS : FlushReason.BYTES);
        }
    }

    @Override
    protected boolean hasOpenBatch() {
        return open != null && open.rows() > 0;
    }

    @Override
    protected AutoCloseable openBatch() {
        return open;
    }

    @Override
    protected void send(FlushReason reason) throws Exception {
        if (inFlight.isEmpty()) {
            inFlightThreshold = Long.MAX_VALUE;
        }
        int rows = open.rows();
        int bytes = open.bytes();
        inFlightThreshold = Math.min(inFlightThreshold, open.threshold());
        LocalBatch<K, T> batch =
                new LocalBatch<>(rows, open.keys(), shape, open.takeSessions(), local);
        inFlight.add(batch, open.seal());
        batchMetrics.flushed(reason, rows, bytes, inFlight.size());
    }
}
