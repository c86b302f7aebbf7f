package io.flinkgpu.operator.window;

import io.flinkgpu.api.ValueSpec;
import io.flinkgpu.groups.GroupCursor;
import io.flinkgpu.groups.GroupTable;
import io.flinkgpu.groups.GroupTables;
import io.flinkgpu.groups.KeyBytes;
import io.flinkgpu.groups.KeyCodec;
import io.flinkgpu.state.Partial;
import io.flinkgpu.state.PartialTypeInfo;

import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.apache.flink.runtime.state.KeyedStateBackend;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.InternalTimer;
import org.apache.flink.streaming.api.operators.InternalTimerService;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;
import org.apache.flink.streaming.api.operators.Triggerable;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.api.windowing.assigners.WindowAssigner;
import org.apache.flink.streaming.api.windowing.windows.GlobalWindow;
import org.apache.flink.streaming.api.windowing.windows.TimeWindow;
import org.apache.flink.streaming.api.windowing.windows.Window;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.runtime.tasks.ProcessingTimeService;
import org.apache.flink.util.IOUtils;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;

import java.util.Collection;
import java.util.List;

/**
 * Windows of slices, whose groups are in tables off the heap and not in objects: tumbling and sliding
 * windows in event time, and the one of all time. What is emitted, and when, and what is late, is as with
 * Flink's window operator and its default triggers; a window's results come in the order in which its
 * keys came first, not in that of their hashes.
 *
 * <p>Before a snapshot the groups are written to Flink's keyed state, see {@link WindowSnapshots}.
 * Groups for which there is no memory are in state as well.
 *
 * <p>All methods are the task thread's.
 *
 * @param <T> the record
 * @param <K> the user's key
 * @param <S> the key in state
 * @param <R> what is emitted
 */
final class SlicedWindowOperator<T, K, S, R> extends AbstractStreamOperator<R>
        implements OneInputStreamOperator<WindowInput<S, T>, R> {

    private static final long serialVersionUID = 1L;

    private final transient WindowPlan<T, K, S, R> plan;
    private final transient WindowShape shape;
    private final transient List<ValueSpec> specs;

    private transient RowPartials<T> rows;
    private transient SliceCache slices;
    private transient KeyCodec<S> codec;
    private transient BufferAllocator allocator;
    private transient WindowGroups<S> groups;
    private transient WindowSnapshots<S> snapshots;
    private transient WindowMemory<S> memory;
    private transient WindowOutput<K, S, R> results;
    private transient TableMetrics tableMetrics;
    private transient RunStore<S> store;
    private transient KeyBytes key;
    private transient int keyGroups;
    private transient boolean restored;
    private transient long watermark;
    private transient WindowAssigner.WindowAssignerContext clock;

    SlicedWindowOperator(StreamOperatorParameters<R> parameters, WindowPlan<T, K, S, R> plan) {
        // setup() reads the time service, so it must be there before.
        this.processingTimeService = parameters.getProcessingTimeService();
        setup(parameters.getContainingTask(), parameters.getStreamConfig(), parameters.getOutput());
        this.plan = plan;
        this.shape = plan.shape();
        this.specs = plan.aggregates().specs();
    }

    @Override
    public void initializeState(StateInitializationContext context) throws Exception {
        super.initializeState(context);
        restored = context.isRestored();
    }

    @Override
    public void open() throws Exception {
        super.open();
        watermark = Long.MIN_VALUE;
        clock = new Clock(getProcessingTimeService());
        key = new KeyBytes();
        rows = new RowPartials<>(plan.aggregates());
        slices = new SliceCache(shape);
        codec = KeyCodec.of(keySerializer().duplicate());
        keyGroups = getRuntimeContext().getTaskInfo().getMaxNumberOfParallelSubtasks();
        results = new WindowOutput<>(plan, output);
        allocator = new RootAllocator();
        store =
                new RunStore<>(
                        getKeyedStateBackend(),
                        KeyCodec.of(keySerializer().duplicate()),
                        keyGroups,
                        specs);
        groups =
                new WindowGroups<>(
                        shape, plan.latenessMillis(), new GroupTables(allocator, specs), store);
        snapshots = new WindowSnapshots<>(groups, store);
        memory = new WindowMemory<>(allocator, groups, plan.stateMemoryBytes());
        tableMetrics = new TableMetrics(getMetricGroup());
        if (restored) {
            snapshots.restore(memory::isFull);
            takeOver(plan.assigner().getWindowSerializer(getExecutionConfig()), store);
        }
    }

    private <W extends Window> void takeOver(TypeSerializer<W> windowSerializer, RunStore<S> store)
            throws Exception {
        InternalTimerService<W> timers =
                getInternalTimerService(WindowStates.TIMERS, windowSerializer, new NoTimers<>());
        TypeSerializer<Partial> serializer =
                new PartialTypeInfo(specs)
                        .createSerializer(getExecutionConfig().getSerializerConfig());
        KeyedStateBackend<S> backend = getKeyedStateBackend();
        new FlinkWindows<>(
                        backend,
                        new WindowStates<S, W>(backend, windowSerializer)
                                .contents(new MergePartials(), serializer),
                        timers)
                .moveTo(groups, store, codec, specs.size());
    }

    @Override
    public void processElement(StreamRecord<WindowInput<S, T>> element) throws Exception {
        if (snapshots.isUnsettled()) {
            S current = key();
            snapshots.settle();
            setCurrentKey(current);
        }
        WindowInput<S, T> input = element.getValue();
        if (input.isRaw()) {
            addRecord(element);
        } else {
            groups.add(input.block());
        }
        memory.keepWithin();
    }

    private void addRecord(StreamRecord<WindowInput<S, T>> element) throws Exception {
        S current = key();
        rows.read(element.getValue().record(), current);
        codec.write(current, key);
        slices.find(shape.isGlobal() ? 0 : element.getTimestamp());
        if (shape.isGlobal() || slices.threshold() > watermark) {
            add(slices.startMillis(), slices.endMillis(), keyGroup(current));
        } else {
            addLate(element, keyGroup(current));
        }
    }

    private void add(long startMillis, long endMillis, int keyGroup) {
        GroupTable table = groups.table(startMillis, endMillis);
        rows.addTo(table, table.group(key.array(), 0, key.length(), keyGroup));
    }

    /** Adds a record of which windows may have fired, and fires those that have and take it. */
    private void addLate(StreamRecord<WindowInput<S, T>> element, int keyGroup) throws Exception {
        tableMetrics.slowRecord();
        T record = element.getValue().record();
        long time = element.getTimestamp();
        List<TimeWindow> open =
                assigned(record, time).stream()
                        .map(TimeWindow.class::cast)
                        .filter(window -> groups.cleanupTime(window) > watermark)
                        .toList();
        if (open.isEmpty()) {
            refuse(element, record);
            return;
        }
        if (shape.windows(slices.startMillis(), slices.endMillis()).isEmpty()) {
            // So near to the ends of time that only the assigner knows the windows.
            for (TimeWindow window : open) {
                add(window.getStart(), window.getEnd(), keyGroup);
            }
        } else {
            add(slices.startMillis(), slices.endMillis(), keyGroup);
        }
        for (TimeWindow window : open) {
            if (window.maxTimestamp() <= watermark) {
                groups.fire(window, key, keyGroup, this::emit);
            }
        }
    }

    private Collection<? extends Window> assigned(T record, long timestamp) {
        return plan.assigner().assignWindows(record, timestamp, clock);
    }

    private void refuse(StreamRecord<WindowInput<S, T>> element, T record) {
        if (element.getTimestamp() + plan.latenessMillis() > watermark) {
            return;
        }
        if (plan.lateTag() == null) {
            tableMetrics.lateRecordDropped();
        } else {
            output.collect(plan.lateTag(), element.copy(null).replace(record));
        }
    }

    @Override
    public void processWatermark(Watermark mark) throws Exception {
        snapshots.settle();
        watermark = mark.getTimestamp();
        groups.advance(watermark, this::emit);
        updateMetrics();
        super.processWatermark(mark);
    }

    private void emit(TimeWindow window, GroupCursor group) {
        group.key(key);
        results.emit(
                codec.read(key.array(), 0, key.length()),
                shape.isGlobal() ? GlobalWindow.get() : window,
                group);
    }

    @Override
    public void snapshotState(StateSnapshotContext context) throws Exception {
        snapshots.write();
        updateMetrics();
        super.snapshotState(context);
    }

    private void updateMetrics() {
        tableMetrics.holds(groups.groups(), allocator.getAllocatedMemory(), store.written());
    }

    /** Gives all memory back, also after a failed {@link #open()}. */
    @Override
    public void close() throws Exception {
        IOUtils.closeAll(groups, allocator, super::close);
    }

    private int keyGroup(S of) {
        return KeyGroupRangeAssignment.assignToKeyGroup(of, keyGroups);
    }

    @SuppressWarnings("unchecked") // The stream is keyed by these keys.
    private TypeSerializer<S> keySerializer() {
        return (TypeSerializer<S>) getKeyedStateBackend().getKeySerializer();
    }

    @SuppressWarnings("unchecked") // The stream is keyed by these keys.
    private S key() {
        return (S) getCurrentKey();
    }

    /** Timers that an earlier state has left. */
    private static final class NoTimers<K, N> implements Triggerable<K, N> {

        @Override
        public void onEventTime(InternalTimer<K, N> timer) {}

        @Override
        public void onProcessingTime(InternalTimer<K, N> timer) {}
    }

    /** For assigners that fix their stagger by it. */
    private static final class Clock extends WindowAssigner.WindowAssignerContext {

        private final ProcessingTimeService time;

        Clock(ProcessingTimeService time) {
            this.time = time;
        }

        @Override
        public long getCurrentProcessingTime() {
            return time.getCurrentProcessingTime();
        }
    }
}
