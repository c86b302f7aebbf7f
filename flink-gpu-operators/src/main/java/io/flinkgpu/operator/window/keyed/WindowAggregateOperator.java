package io.flinkgpu.operator.window.keyed;

import io.flinkgpu.groups.BlockReader;
import io.flinkgpu.groups.KeyCodec;
import io.flinkgpu.operator.window.AbstractWindowOperator;
import io.flinkgpu.operator.window.MergePartials;
import io.flinkgpu.operator.window.RowPartials;
import io.flinkgpu.operator.window.SliceCache;
import io.flinkgpu.operator.window.WindowInput;
import io.flinkgpu.operator.window.WindowOutput;
import io.flinkgpu.operator.window.WindowPlan;
import io.flinkgpu.operator.window.WindowShape;
import io.flinkgpu.operator.window.WindowStates;
import io.flinkgpu.operator.window.session.SessionsToFlink;
import io.flinkgpu.operator.window.slices.TablesToFlink;
import io.flinkgpu.state.Partial;

import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.InternalTimer;
import org.apache.flink.streaming.api.operators.InternalTimerService;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;
import org.apache.flink.streaming.api.operators.Triggerable;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.api.windowing.assigners.WindowAssigner;
import org.apache.flink.streaming.api.windowing.windows.Window;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.util.FlinkRuntimeException;

import java.util.Map;
import java.util.Objects;

/**
 * Windows of a keyed stream whose inputs are records or partials of records, with the state of Flink's
 * window operator: the same names and formats, so that savepoints move both ways. What is emitted, and
 * when, and what is late, is as with that operator and its default triggers, too.
 *
 * <p>An input that makes nothing fire is added to a {@link MergeBuffer} in memory. The buffer is drained
 * into state when a watermark or a timer reaches a buffered window, when it holds too many slices,
 * before a checkpoint barrier, at the end of the input, and when the key changes in batch execution. A
 * record that is late for one of its windows goes to state at once, as each of Flink's does. A partial
 * is never late, as its sender's watermark is never behind; one that is all the same fails the task.
 *
 * <p>All methods are the task thread's.
 *
 * @param <T> the record
 * @param <K> the user's key
 * @param <S> the key in state
 * @param <W> the window
 * @param <R> what is emitted
 */
final class WindowAggregateOperator<T, K, S, W extends Window, R>
        extends AbstractWindowOperator<T, K, S, R> implements BoundedOneInput, Triggerable<S, W> {

    private static final long serialVersionUID = 1L;

    private final transient WindowShape shape;
    private final transient WindowAssigner<Object, W> assigner;
    private final transient int maxSlices;

    private transient RowPartials<T> rows;
    private transient BlockReader reader;
    private transient KeyCodec<S> codec;
    private transient SliceCache slices;
    private transient MergeBuffer<S> buffer;
    private transient InternalTimerService<W> timers;
    private transient WindowAssigner.WindowAssignerContext assignerContext;
    private transient KeyedWindows<S, W> windows;
    private transient WindowOutput<K, S, R> results;
    private transient WindowMetrics windowMetrics;
    private transient boolean batchExecution;

    /**
     * @param maxSlices how many partials are kept in memory between two drains
     */
    @SuppressWarnings("unchecked") // The factory's window type is the assigner's.
    WindowAggregateOperator(
            StreamOperatorParameters<R> parameters, WindowPlan<T, K, S, R> plan, int maxSlices) {
        super(parameters, plan);
        this.shape = plan.shape();
        this.assigner = (WindowAssigner<Object, W>) plan.assigner();
        this.maxSlices = maxSlices;
    }

    @Override
    public void open() throws Exception {
        super.open();
        rows = new RowPartials<>(plan.aggregates(), plan.errors());
        reader = new BlockReader(plan.aggregates().specs());
        codec = newKeyCodec();
        slices = new SliceCache(shape);
        buffer = new MergeBuffer<>(shape, keySerializer()::copy);
        results = new WindowOutput<>(plan, output);
        windowMetrics = new WindowMetrics(getMetricGroup());
        batchExecution = isBatchExecution();
        TypeSerializer<W> windowSerializer = assigner.getWindowSerializer(getExecutionConfig());
        timers = getInternalTimerService(WindowStates.TIMERS, windowSerializer, this);
        assignerContext = new ProcessingTime(timers);
        windows = keyedWindows(windowSerializer);
        if (isRestored()) {
            takeOverTables();
        }
    }

    private void takeOverTables() throws Exception {
        KeyCodec<S> own = newKeyCodec();
        int keyGroups = keyGroups();
        if (shape.isSession()) {
            new SessionsToFlink<>(
                            this.<S>getKeyedStateBackend(),
                            own,
                            plan.aggregates().specs(),
                            keyGroups)
                    .moveTo(windows::takeOver);
        } else {
            new TablesToFlink<>(this.<S>getKeyedStateBackend(), own, plan, keyGroups)
                    .moveTo(windows::takeOver);
        }
    }

    private KeyedWindows<S, W> keyedWindows(TypeSerializer<W> windowSerializer) throws Exception {
        WindowStates<S, W> states = new WindowStates<>(getKeyedStateBackend(), windowSerializer);
        MergePartials mergePartials = new MergePartials();
        TypeSerializer<Partial> serializer = partialSerializer();
        return new KeyedWindows<>(
                assigner,
                shape,
                plan.latenessMillis(),
                timers,
                states.contents(mergePartials, serializer),
                mergePartials,
                shape.isSession() ? states.mergingSets() : null,
                isRestored(),
                (window, contents) -> results.emit(key(), window, contents));
    }

    @Override
    public void processElement(StreamRecord<WindowInput<S, T>> element) throws Exception {
        WindowInput<S, T> input = element.getValue();
        if (!input.isRaw()) {
            addBlock(input);
        } else {
            rows.read(input.record(), element.getTimestamp(), key());
            long time =
                    shape.isEventTime() ? element.getTimestamp() : timers.currentProcessingTime();
            if (!isOpen(time)) {
                processSlowly(element);
                return;
            }
            addToBuffer(time);
        }
        windowMetrics.buffered(buffer.slices());
        if (buffer.slices() > maxSlices) {
            drainAll();
        }
    }

    @Override
    public void processWatermark(Watermark mark) throws Exception {
        boolean reaches =
                shape.isEventTime()
                        || mark.getTimestamp() == Watermark.MAX_WATERMARK.getTimestamp();
        if (reaches) {
            drainDue(mark.getTimestamp());
        }
        super.processWatermark(mark);
    }

    @Override
    public void onEventTime(InternalTimer<S, W> timer) throws Exception {
        windows.onEventTime(timer.getNamespace(), timer.getTimestamp());
    }

    @Override
    public void onProcessingTime(InternalTimer<S, W> timer) throws Exception {
        drainDue(timer.getTimestamp());
        windows.onProcessingTime(timer.getNamespace(), timer.getTimestamp());
    }

    @Override
    public void prepareSnapshotPreBarrier(long checkpointId) throws Exception {
        drainAll();
        super.prepareSnapshotPreBarrier(checkpointId);
    }

    @Override
    public void endInput() throws Exception {
        drainAll();
    }

    /** In batch execution, a change of the key fires the timers of the last and clears its state. */
    @Override
    public void setCurrentKey(Object key) {
        if (batchExecution && buffer.slices() > 0 && !Objects.equals(key, getCurrentKey())) {
            try {
                drainAll();
            } catch (Exception e) {
                throw new FlinkRuntimeException(e);
            }
        }
        super.setCurrentKey(key);
    }

    private void addBlock(WindowInput<S, T> input) throws Exception {
        reader.open(input.block());
        while (reader.next()) {
            setCurrentKey(codec.read(reader.bytes(), reader.keyAt(), reader.keyLength()));
            Partial partial = rows.ofNone();
            reader.addTo(partial);
            addPartial(reader.start(), reader.end(), partial);
        }
    }

    private void addPartial(long start, long end, Partial partial) {
        if (shape.threshold(start, end) <= firingTime()) {
            throw new IllegalStateException(
                    "records that were aggregated before the shuffle came behind the watermark, and"
                            + " cannot be told apart again: key=%s, start=%d, end=%d, watermark=%d;"
                                    .formatted(
                                            plan.errors().shown(key()),
                                            start,
                                            end,
                                            timers.currentWatermark())
                            + " use localAggregation(false)");
        }
        Partial kept = buffer.partial(key(), start, end, () -> partial);
        if (kept != partial) {
            kept.merge(partial);
        }
    }

    private void addToBuffer(long time) {
        long start = shape.isSession() ? time : slices.startMillis();
        long end = shape.isSession() ? shape.sliceEnd(time) : slices.endMillis();
        int before = buffer.slices();
        rows.addTo(buffer.partial(key(), start, end, rows::ofNone));
        if (buffer.slices() > before) {
            windows.registerProcessingTimeTimers(start, end);
        }
    }

    /** Whether a record of this time makes no window fire, as far as watermarks go. */
    private boolean isOpen(long time) {
        if (shape.isSession()) {
            return shape.isOpen(time, shape.sliceEnd(time), timers.currentWatermark());
        }
        slices.find(time);
        return slices.threshold() > firingTime();
    }

    /** One record as Flink's operator processes it: lateness depends on what is in state now. */
    private void processSlowly(StreamRecord<WindowInput<S, T>> element) throws Exception {
        windowMetrics.slowRecord();
        if (shape.isSession()) {
            SliceList buffered = buffer.take(key());
            if (buffered != null) {
                windows.add(buffered);
            }
        }
        T record = element.getValue().record();
        Partial partial = rows.ofNone();
        rows.addTo(partial);
        boolean taken =
                windows.add(
                        assigner.assignWindows(record, element.getTimestamp(), assignerContext),
                        partial);
        if (!taken && isLate(element)) {
            if (plan.lateTag() == null) {
                windowMetrics.lateRecordDropped();
            } else {
                output.collect(plan.lateTag(), element.copy(null).replace(record));
            }
        }
    }

    private boolean isLate(StreamRecord<?> element) {
        return shape.isEventTime()
                && element.getTimestamp() + plan.latenessMillis() <= timers.currentWatermark();
    }

    /** The time up to which windows have fired by watermarks; windows of processing time never do. */
    private long firingTime() {
        return shape.isProcessingTime() ? Long.MIN_VALUE : timers.currentWatermark();
    }

    private void drainDue(long time) throws Exception {
        if (buffer.isDue(time)) {
            drain(buffer.takeDue(time));
        }
    }

    private void drainAll() throws Exception {
        if (buffer.slices() > 0) {
            drain(buffer.takeAll());
        }
    }

    private void drain(Map<S, SliceList> taken) throws Exception {
        Object keyBefore = getCurrentKey();
        int drained = 0;
        for (Map.Entry<S, SliceList> entry : taken.entrySet()) {
            setCurrentKey(entry.getKey());
            drained += entry.getValue().size();
            windows.add(entry.getValue());
        }
        if (keyBefore != null) {
            setCurrentKey(keyBefore);
        }
        windowMetrics.drained(drained, buffer.slices());
    }

    private static final class ProcessingTime extends WindowAssigner.WindowAssignerContext {

        private final InternalTimerService<?> timers;

        ProcessingTime(InternalTimerService<?> timers) {
            this.timers = timers;
        }

        @Override
        public long getCurrentProcessingTime() {
            return timers.currentProcessingTime();
        }
    }
}
