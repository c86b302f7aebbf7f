package io.flinkgpu.operator.window.slices;

import io.flinkgpu.api.Errors;
import io.flinkgpu.api.ValueSpec;
import io.flinkgpu.groups.GroupCursor;
import io.flinkgpu.groups.GroupTable;
import io.flinkgpu.groups.GroupTables;
import io.flinkgpu.groups.KeyBytes;
import io.flinkgpu.groups.KeyCodec;
import io.flinkgpu.operator.window.RowPartials;
import io.flinkgpu.operator.window.TableMetrics;
import io.flinkgpu.operator.window.WindowOutput;
import io.flinkgpu.operator.window.WindowPlan;
import io.flinkgpu.operator.window.WindowShape;

import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.runtime.state.KeyedStateBackend;
import org.apache.flink.streaming.api.operators.Output;
import org.apache.flink.streaming.api.operators.sorted.state.BatchExecutionKeyedStateBackend;
import org.apache.flink.streaming.api.windowing.windows.GlobalWindow;
import org.apache.flink.streaming.api.windowing.windows.TimeWindow;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;

import java.util.List;

/**
 * The tables of a window operator, with their state, their memory, and the way of their groups to results.
 * Task thread only.
 *
 * @param <T> the record
 * @param <K> the user's key
 * @param <S> the key in state
 * @param <R> what is emitted
 */
final class WindowTables<T, K, S, R> implements AutoCloseable {

    private final WindowPlan<T, K, S, R> plan;
    private final WindowShape shape;
    private final KeyedStateBackend<S> backend;
    private final boolean batchExecution;
    private final RowPartials<T> rows;
    private final KeyCodec<S> codec;
    private final KeyBytes key = new KeyBytes();
    private final BufferAllocator allocator = new RootAllocator();
    private final RunStore<S> store;
    private final WindowGroups<S> groups;
    private final WindowSums<S> sums;
    private final WindowSnapshots<S> snapshots;
    private final WindowMemory<S> memory;
    private final WindowOutput<K, S, R> results;
    private final TableMetrics metrics;
    private int keyGroup;

    /**
     * @param keyGroups how many the operator has, those of other subtasks included
     */
    WindowTables(
            WindowPlan<T, K, S, R> plan,
            KeyedStateBackend<S> backend,
            int keyGroups,
            Output<StreamRecord<R>> output,
            MetricGroup operatorGroup)
            throws Exception {
        List<ValueSpec> specs = plan.tableAggregates().specs();
        this.plan = plan;
        this.shape = plan.shape();
        this.backend = backend;
        batchExecution = backend instanceof BatchExecutionKeyedStateBackend;
        rows = new RowPartials<>(plan.tableAggregates(), plan.errors());
        codec = KeyCodec.of(backend.getKeySerializer().duplicate());
        results = new WindowOutput<>(plan, output);
        store =
                new RunStore<>(
                        backend,
                        KeyCodec.of(backend.getKeySerializer().duplicate()),
                        keyGroups,
                        specs);
        groups =
                new WindowGroups<>(
                        shape, plan.latenessMillis(), new GroupTables(allocator, specs), store);
        sums = new WindowSums<>(groups, store);
        snapshots = new WindowSnapshots<>(groups, store);
        memory = new WindowMemory<>(allocator, groups, sums, plan.stateMemoryBytes());
        metrics = new TableMetrics(operatorGroup);
    }

    WindowGroups<S> groups() {
        return groups;
    }

    WindowSums<S> sums() {
        return sums;
    }

    TableMetrics metrics() {
        return metrics;
    }

    /** Loads what an operator with tables has left in state. */
    void restore() throws Exception {
        snapshots.restore(() -> plan.trigger().takesGroups() && memory.isFull());
    }

    /** Takes over what Flink's window operator, or ours with its state, has left. */
    void takeOver(FlinkWindows<S, ?> windows) throws Exception {
        windows.moveTo(groups, store, codec);
    }

    /** Called before anything changes. Keeps the current key. */
    void settle() {
        if (snapshots.isUnsettled()) {
            S current = backend.getCurrentKey();
            snapshots.settle();
            if (current != null) {
                backend.setCurrentKey(current);
            }
        }
    }

    /** Whether {@link #keepWithinMemory} has something to do. */
    boolean isFull() {
        return memory.isFull();
    }

    /**
     * Called when something was added.
     *
     * @throws IllegalStateException if there is too much and state cannot take it
     */
    void keepWithinMemory() throws Exception {
        memory.dropSums();
        if (batchExecution && memory.isFull()) {
            throw Errors.state(
                    "in batch execution windows have to be in memory, as Flink keeps the state of one"
                            + " key at a time: heldBytes=%s, memoryLimitBytes=%s; raise"
                            + " memoryLimitBytes or the parallelism, or run the job in streaming mode",
                    allocator.getAllocatedMemory(), plan.stateMemoryBytes());
        }
        memory.keepWithin();
    }

    /** Reads a record and its key, for what is called with them next. */
    void read(T record, long timestamp, S keyOf) {
        rows.read(record, timestamp, keyOf);
        codec.write(keyOf, key);
        keyGroup = store.keyGroup(keyOf);
    }

    /** The bytes of the key that was read last. */
    KeyBytes key() {
        return key;
    }

    /** Its key group. */
    int keyGroup() {
        return keyGroup;
    }

    /** Adds the record that was read last. */
    void add(long startMillis, long endMillis) {
        GroupTable table = groups.table(startMillis, endMillis);
        addTo(table, group(table));
    }

    /** The group of the key that was read last, which is a new one if there was none. */
    int group(GroupTable table) {
        return table.group(key.array(), 0, key.length(), keyGroup);
    }

    /** Adds the record that was read last to a group. */
    void addTo(GroupTable table, int group) {
        rows.addTo(table, group);
    }

    /**
     * Fails where all groups have to be in memory.
     *
     * @throws IllegalStateException always
     */
    void failForMemory() {
        throw Errors.state(
                "windows that fire by the keys' own counts or times have to be in memory: trigger=%s,"
                        + " heldBytes=%s, memoryLimitBytes=%s; raise memoryLimitBytes or the"
                        + " parallelism, or use Flink's own operator with ExactAggregate",
                plan.trigger().kind(), allocator.getAllocatedMemory(), plan.stateMemoryBytes());
    }

    /** Emits the result of a group. Overwrites the key that was read last. */
    void emit(TimeWindow window, GroupCursor group) {
        group.key(key);
        results.emit(
                codec.read(key.array(), 0, key.length()),
                shape.isGlobal() ? GlobalWindow.get() : window,
                group);
    }

    /** Brings state up to date. Changes the current key. */
    void snapshot() throws Exception {
        snapshots.write();
        updateMetrics();
    }

    /** Says what is in memory now. */
    void updateMetrics() {
        metrics.holds(groups.groups(), allocator.getAllocatedMemory(), store.written());
    }

    /** Gives all memory back; state stays. */
    @Override
    public void close() {
        groups.close();
        allocator.close();
    }
}
