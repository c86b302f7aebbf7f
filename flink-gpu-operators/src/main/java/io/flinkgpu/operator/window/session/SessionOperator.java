package io.flinkgpu.operator.window.session;

import io.flinkgpu.api.ValueSpec;
import io.flinkgpu.groups.GroupCursor;
import io.flinkgpu.groups.GroupTables;
import io.flinkgpu.groups.KeyBytes;
import io.flinkgpu.groups.KeyCodec;
import io.flinkgpu.operator.window.AbstractWindowOperator;
import io.flinkgpu.operator.window.NoTimers;
import io.flinkgpu.operator.window.RowPartials;
import io.flinkgpu.operator.window.TableMetrics;
import io.flinkgpu.operator.window.WindowInput;
import io.flinkgpu.operator.window.WindowOutput;
import io.flinkgpu.operator.window.WindowPlan;
import io.flinkgpu.operator.window.WindowStates;

import org.apache.flink.annotation.Internal;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.api.windowing.windows.TimeWindow;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.util.IOUtils;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;

import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Sessions in event time, which are in a table off the heap and not in objects. What is emitted, and when,
 * and what is late, is as with Flink's window operator and its default trigger.
 *
 * <p>Before a snapshot the sessions are written to Flink's keyed state, see {@link SessionSnapshots}.
 * Sessions for which there is no memory are in state as well.
 *
 * <p>All methods are the task thread's.
 *
 * @param <T> the record
 * @param <K> the user's key
 * @param <S> the key in state
 * @param <R> what is emitted
 */
@Internal
public final class SessionOperator<T, K, S, R> extends AbstractWindowOperator<T, K, S, R> {

    private static final long serialVersionUID = 1L;

    private transient RowPartials<T> rows;
    private transient KeyCodec<S> codec;
    private transient BufferAllocator allocator;
    private transient SessionStore<S> store;
    private transient SessionGroups<S> groups;
    private transient SessionSnapshots<S> snapshots;
    private transient WindowOutput<K, S, R> results;
    private transient TableMetrics tableMetrics;
    private transient KeyBytes key;
    private transient int keyGroups;
    private transient boolean batchExecution;

    /** The key of the last input in batch execution, where no record of it follows those of another. */
    private transient S lastKey;

    public SessionOperator(StreamOperatorParameters<R> parameters, WindowPlan<T, K, S, R> plan) {
        super(parameters, plan);
    }

    @Override
    public void open() throws Exception {
        super.open();
        List<ValueSpec> specs = plan.aggregates().specs();
        key = new KeyBytes();
        rows = new RowPartials<>(plan.aggregates(), plan.errors());
        codec = newKeyCodec();
        keyGroups = keyGroups();
        results = new WindowOutput<>(plan, output);
        tableMetrics = new TableMetrics(getMetricGroup());
        batchExecution = isBatchExecution();
        allocator = new RootAllocator();
        // In batch execution only one key's sessions are there at a time, and state forgets them.
        BooleanSupplier isFull =
                () -> !batchExecution && allocator.getAllocatedMemory() > plan.stateMemoryBytes();
        store = new SessionStore<>(getKeyedStateBackend(), newKeyCodec(), keyGroups, specs);
        groups =
                new SessionGroups<>(
                        plan.shape().sliceMillis(),
                        plan.latenessMillis(),
                        new GroupTables(allocator, specs),
                        store,
                        isFull);
        snapshots = new SessionSnapshots<>(groups, store);
        if (isRestored()) {
            snapshots.restore(isFull);
            takeOver(specs);
        }
    }

    private void takeOver(List<ValueSpec> specs) throws Exception {
        TypeSerializer<TimeWindow> windowSerializer = new TimeWindow.Serializer();
        new FlinkSessions<S>(
                        getKeyedStateBackend(),
                        new WindowStates<>(getKeyedStateBackend(), windowSerializer),
                        partialSerializer(),
                        getInternalTimerService(
                                WindowStates.TIMERS, windowSerializer, new NoTimers<>()))
                .moveTo(groups, store, codec, specs.size());
    }

    @Override
    public void processElement(StreamRecord<WindowInput<S, T>> element) throws Exception {
        if (snapshots.isUnsettled()) {
            S current = key();
            snapshots.settle();
            setCurrentKey(current);
        }
        if (batchExecution && !key().equals(lastKey)) {
            groups.endAll(this::emit);
            lastKey = key();
        }
        WindowInput<S, T> input = element.getValue();
        if (input.isRaw()) {
            addRecord(element);
        } else {
            groups.add(input.block());
        }
        groups.keepWithin();
    }

    private void addRecord(StreamRecord<WindowInput<S, T>> element) throws Exception {
        S current = key();
        rows.read(element.getValue().record(), element.getTimestamp(), current);
        codec.write(current, key);
        int keyGroup = KeyGroupRangeAssignment.assignToKeyGroup(current, keyGroups);
        if (groups.isBehind(element.getTimestamp())) {
            tableMetrics.slowRecord();
        }
        int session = groups.find(key, keyGroup, element.getTimestamp());
        if (session < 0) {
            refuse(element);
            return;
        }
        rows.addTo(groups.groups(), session);
        groups.added(session, this::emit);
    }

    private void refuse(StreamRecord<WindowInput<S, T>> element) {
        if (element.getTimestamp() + plan.latenessMillis() > groups.watermark()) {
            return;
        }
        if (plan.lateTag() == null) {
            tableMetrics.lateRecordDropped();
        } else {
            output.collect(plan.lateTag(), element.copy(null).replace(element.getValue().record()));
        }
    }

    @Override
    public void processWatermark(Watermark mark) throws Exception {
        snapshots.settle();
        groups.advance(mark.getTimestamp(), this::emit);
        updateMetrics();
        super.processWatermark(mark);
    }

    private void emit(TimeWindow window, GroupCursor group) {
        group.key(key);
        results.emit(codec.read(key.array(), 0, key.length()), window, group);
    }

    @Override
    public void snapshotState(StateSnapshotContext context) throws Exception {
        snapshots.write();
        updateMetrics();
        super.snapshotState(context);
    }

    private void updateMetrics() {
        tableMetrics.holds(
                groups.sessions().size(), allocator.getAllocatedMemory(), store.written());
    }

    /** Gives all memory back, also after a failed {@link #open()}. */
    @Override
    public void close() throws Exception {
        IOUtils.closeAll(groups, allocator, super::close);
    }
}
