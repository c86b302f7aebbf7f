package io.flinkgpu.operator.window.slices;

import io.flinkgpu.groups.GroupBlock;
import io.flinkgpu.groups.GroupTable;
import io.flinkgpu.operator.window.WindowInput;
import io.flinkgpu.operator.window.WindowPlan;
import io.flinkgpu.operator.window.WindowTrigger;

import org.apache.flink.streaming.api.windowing.windows.TimeWindow;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/**
 * The window of all time, which fires for a key with each so many of its records, as with Flink's {@code
 * CountTrigger}; where it purges, the key then begins anew. What is left at the end does not fire. All
 * groups are in memory, and empty ones are forgotten when they are half of them. Task thread only.
 *
 * @param <T> the record
 * @param <S> the key in state
 */
final class CountFiring<T, S> implements FiringRule<S, T> {

    /** Fewer empty groups are not worth a new table. */
    private static final int FEW_GROUPS = 1024;

    private final TimeWindow allTime = new TimeWindow(Long.MIN_VALUE, Long.MAX_VALUE);
    private final WindowTrigger trigger;
    private final WindowTables<T, ?, S, ?> tables;
    private final WindowGroups<S> groups;

    /** The column after the values, which counts records. */
    private final int records;

    /** At least so many groups were empty at some time since there was a new table. */
    private int purged;

    /** Whether these are half of the groups. */
    private boolean mayForget;

    CountFiring(WindowPlan<T, ?, S, ?> plan, WindowTables<T, ?, S, ?> tables) {
        this.trigger = plan.trigger();
        this.tables = tables;
        this.groups = tables.groups();
        this.records = plan.aggregates().specs().size();
    }

    @Override
    public void start() {
        groups.unite();
    }

    @Override
    public void add(StreamRecord<WindowInput<S, T>> element) throws Exception {
        GroupTable table = groups.table(allTime.getStart(), allTime.getEnd());
        int group = tables.group(table);
        tables.addTo(table, group);
        added(table, group);
        forgetPurged();
    }

    @Override
    public void add(GroupBlock block) throws Exception {
        groups.add(block, this::added);
        forgetPurged();
    }

    /** Fires a group that has its records. */
    private void added(GroupTable table, int group) throws Exception {
        if (table.count(group, records) % trigger.every() == 0) {
            tables.emit(allTime, table.cursor().move(group));
            if (trigger.purges()) {
                table.reset(group);
                purged++;
                mayForget |= purged > FEW_GROUPS && purged > table.size() / 2;
            }
        }
    }

    private void forgetPurged() {
        if (mayForget) {
            mayForget = false;
            purged = 0;
            for (Span<S> span : groups.spans()) {
                groups.keep(span, kept -> kept.count(records) > 0);
            }
        }
    }

    /** Means nothing to these windows. */
    @Override
    public void watermark(long timestamp) {}

    @Override
    public void memoryIsFull() {
        tables.failForMemory();
    }
}
