package io.flinkgpu.sql.aggregate;

import org.apache.flink.annotation.Internal;
import org.apache.flink.api.common.functions.RuntimeContext;
import org.apache.flink.runtime.memory.MemoryManager;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.runtime.operators.aggregate.window.buffers.WindowBuffer;
import org.apache.flink.table.runtime.util.TimeWindowUtil;
import org.apache.flink.util.Collector;

import java.time.ZoneId;

/**
 * What Flink's operator of local windows keeps of rows until a watermark or a checkpoint comes: the groups of
 * slices, and not the rows. All are sent whenever one window ends, as Flink's own does.
 */
@Internal
public final class TableWindowBuffer implements WindowBuffer {

    private final LocalGroups groups;
    private final ZoneId zone;
    private final MemoryManager memory;
    private final Object owner;
    private final long bytes;
    private long firstEnd = Long.MAX_VALUE;

    private TableWindowBuffer(
            LocalGroups groups, ZoneId zone, MemoryManager memory, Object owner, long bytes) {
        this.groups = groups;
        this.zone = zone;
        this.memory = memory;
        this.owner = owner;
        this.bytes = bytes;
    }

    @Override
    public void addElement(RowData key, long sliceEnd, RowData element) {
        groups.add(key, sliceEnd, element);
        firstEnd = Math.min(firstEnd, sliceEnd);
    }

    @Override
    public void advanceProgress(long progress) {
        if (TimeWindowUtil.isWindowFired(firstEnd, progress, zone)) {
            flush();
        }
    }

    @Override
    public void flush() {
        groups.sendAll();
        firstEnd = Long.MAX_VALUE;
    }

    @Override
    public void close() {
        groups.close();
        memory.releaseMemory(owner, bytes);
    }

    /**
     * Makes the buffers of an operator, within the operator's share of managed memory.
     *
     * @param aggregation whose last accumulator is the slice
     */
    @Internal
    public record Factory(LocalAggregation aggregation) implements LocalFactory {

        private static final long serialVersionUID = 1L;

        @Override
        public WindowBuffer create(
                Object operatorOwner,
                MemoryManager memoryManager,
                long memorySize,
                RuntimeContext runtimeContext,
                Collector<RowData> collector,
                ZoneId shiftTimeZone)
                throws Exception {
            memoryManager.reserveMemory(operatorOwner, memorySize);
            return new TableWindowBuffer(
                    new LocalGroups(aggregation, memorySize, collector),
                    shiftTimeZone,
                    memoryManager,
                    operatorOwner,
                    memorySize);
        }
    }
}
