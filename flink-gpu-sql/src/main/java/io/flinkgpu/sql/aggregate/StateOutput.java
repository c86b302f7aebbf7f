package io.flinkgpu.sql.aggregate;

import org.apache.flink.core.memory.MemorySegmentFactory;
import org.apache.flink.runtime.state.KeyedStateBackend;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.binary.BinaryRowData;
import org.apache.flink.table.runtime.generated.NamespaceAggsHandleFunction;
import org.apache.flink.table.runtime.operators.window.tvf.common.WindowTimerService;
import org.apache.flink.table.runtime.operators.window.tvf.state.WindowValueState;
import org.apache.flink.table.runtime.util.TimeWindowUtil;

import java.util.Arrays;

/**
 * Groups into the state of Flink's windows of event time, with a timer for each window that is to come, as Flink's own
 * combiner does row by row.
 */
final class StateOutput implements GroupOutput {

    /** A key without fields, as rows of accumulators have it. */
    private static final byte[] NO_KEY = new byte[Long.BYTES];

    private final int keys;
    private final GroupRow row;
    private final KeyedStateBackend<RowData> backend;
    private final WindowValueState<Long> state;
    private final WindowTimerService<Long> timers;
    private final NamespaceAggsHandleFunction<Long> merging;

    /**
     * @param merging Flink's function for the accumulators, which is closed with this
     */
    StateOutput(
            LocalAggregation aggregation,
            KeyedStateBackend<RowData> backend,
            WindowValueState<Long> state,
            WindowTimerService<Long> timers,
            NamespaceAggsHandleFunction<Long> merging) {
        this.keys = aggregation.keys();
        this.row = new GroupRow(aggregation.withoutKeys());
        this.backend = backend;
        this.state = state;
        this.timers = timers;
        this.merging = merging;
    }

    @Override
    public void send(SentGroups groups) throws Exception {
        // The operator may go on with the row whose key this is.
        RowData current = backend.getCurrentKey();
        while (groups.next()) {
            backend.setCurrentKey(key(groups));
            add(groups);
        }
        if (current != null) {
            backend.setCurrentKey(current);
        }
    }

    /** A copy, as timers and state may keep it. */
    private BinaryRowData key(SentGroups groups) {
        BinaryRowData key = new BinaryRowData(keys);
        key.pointTo(
                MemorySegmentFactory.wrap(Arrays.copyOf(groups.key(), groups.keyLength())),
                0,
                groups.keyLength());
        return key;
    }

    private void add(SentGroups groups) throws Exception {
        Long window = groups.slice();
        BinaryRowData group = row.of(NO_KEY, NO_KEY.length, groups.values(), window);
        RowData before = state.value(window);
        if (before == null) {
            state.update(window, backend.isSafeToReuseKVState() ? group : group.copy());
        } else {
            merging.setAccumulators(window, before);
            merging.merge(window, group);
            state.update(window, merging.getAccumulators());
        }
        if (!TimeWindowUtil.isWindowFired(
                window, timers.currentWatermark(), timers.getShiftTimeZone())) {
            timers.registerEventTimeWindowTimer(window);
        }
    }

    @Override
    public void close() {
        try {
            merging.close();
        } catch (Exception e) {
            throw new IllegalStateException("Flink's function of accumulators cannot be closed", e);
        }
    }
}
