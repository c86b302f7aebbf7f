package io.flinkgpu.operator.window.slices;

import io.flinkgpu.groups.GroupBlock;
import io.flinkgpu.groups.GroupCursor;
import io.flinkgpu.groups.GroupTable;
import io.flinkgpu.operator.window.FiringTimer;
import io.flinkgpu.operator.window.WindowInput;
import io.flinkgpu.operator.window.WindowTrigger;

import org.apache.flink.streaming.api.windowing.windows.TimeWindow;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.runtime.tasks.ProcessingTimeService;

/**
 * The window of all time, of which the keys that were added to since they were emitted are emitted some time
 * after the first of them was, and at the end of the input. When there is no memory for all groups, what
 * has changed is emitted before some of them go to state; after a restore all keys are emitted. In batch
 * execution they are emitted at the end alone. Task thread only.
 *
 * @param <T> the record
 * @param <S> the key in state
 */
final class RunningFiring<T, S> implements FiringRule<S, T> {

    private final TimeWindow allTime = new TimeWindow(Long.MIN_VALUE, Long.MAX_VALUE);
    private final WindowTables<T, ?, S, ?> tables;
    private final WindowGroups<S> groups;
    private final long everyMillis;
    private final FiringTimer timer;
    private final boolean batchExecution;

    /** Whether groups of before a restore are in state, where marks of what has changed are not. */
    private boolean emitsAll;

    RunningFiring(
            WindowTrigger trigger,
            WindowTables<T, ?, S, ?> tables,
            ProcessingTimeService time,
            boolean batchExecution) {
        this.tables = tables;
        this.groups = tables.groups();
        this.everyMillis = trigger.every();
        this.timer = new FiringTimer(time, this::onTime);
        this.batchExecution = batchExecution;
    }

    @Override
    public void start() {
        for (Span<S> span : groups.spans()) {
            for (Layer<S> layer : span.layers) {
                emitsAll |= !layer.isInMemory();
                arm();
            }
        }
    }

    @Override
    public void add(StreamRecord<WindowInput<S, T>> element) {
        tables.add(allTime.getStart(), allTime.getEnd());
        arm();
    }

    @Override
    public void add(GroupBlock block) throws Exception {
        groups.add(block);
        arm();
    }

    private void arm() {
        if (!timer.isArmed() && !batchExecution) {
            timer.at(timer.now() + everyMillis);
        }
    }

    private void onTime(long time) throws Exception {
        tables.settle();
        emitChanged();
        tables.updateMetrics();
    }

    @Override
    public void memoryIsFull() throws Exception {
        emitChanged();
    }

    /** Emits before the last watermark, which may be the last thing that others wait for. */
    @Override
    public void watermark(long timestamp) throws Exception {
        if (timestamp == Long.MAX_VALUE) {
            emitChanged();
        }
    }

    @Override
    public void finish() throws Exception {
        emitChanged();
    }

    private void emitChanged() throws Exception {
        if (emitsAll) {
            tables.sums().of(allTime, tables::emit);
            emitsAll = false;
        } else {
            for (Span<S> span : groups.spans()) {
                emitChanged(span);
            }
        }
        for (Span<S> span : groups.spans()) {
            for (Layer<S> layer : span.layers) {
                if (layer.isInMemory()) {
                    layer.table().clearUnemitted();
                }
            }
        }
    }

    private void emitChanged(Span<S> span) throws Exception {
        if (span.layers.size() == 1 && span.layers.get(0).isInMemory()) {
            GroupCursor group = span.layers.get(0).table().cursor();
            while (span.layers.get(0).table().unemitted() > 0 && group.next()) {
                if (group.isUnemitted()) {
                    tables.emit(allTime, group);
                }
            }
            return;
        }
        try (GroupTable changed = groups.newTable()) {
            for (Layer<S> layer : span.layers) {
                if (layer.isInMemory()) {
                    WindowSums.addKeys(changed, layer.table());
                }
            }
            if (changed.size() > 0) {
                tables.sums().ofKeys(allTime, changed, tables::emit);
            }
        }
    }
}
