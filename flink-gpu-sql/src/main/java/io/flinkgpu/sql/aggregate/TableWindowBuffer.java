package io.flinkgpu.sql.aggregate;

import org.apache.flink.annotation.Internal;
import org.apache.flink.api.common.functions.RuntimeContext;
import org.apache.flink.api.common.typeutils.base.LongSerializer;
import org.apache.flink.runtime.memory.MemoryManager;
import org.apache.flink.runtime.state.KeyedStateBackend;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.runtime.dataview.PerWindowStateDataViewStore;
import org.apache.flink.table.runtime.generated.GeneratedNamespaceAggsHandleFunction;
import org.apache.flink.table.runtime.generated.NamespaceAggsHandleFunction;
import org.apache.flink.table.runtime.operators.aggregate.window.buffers.WindowBuffer;
import org.apache.flink.table.runtime.operators.window.tvf.common.WindowTimerService;
import org.apache.flink.table.runtime.operators.window.tvf.state.WindowState;
import org.apache.flink.table.runtime.operators.window.tvf.state.WindowValueState;
import org.apache.flink.table.runtime.util.TimeWindowUtil;
import org.apache.flink.util.Collector;
import org.apache.flink.util.IOUtils;

import org.apache.arrow.memory.RootAllocator;

import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;

/**
 * What Flink's operators of windows keep of rows until a watermark or a checkpoint comes: the groups of
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
    public void addElement(RowData key, long sliceEnd, RowData element) throws Exception {
        groups.add(key, sliceEnd, element);
        firstEnd = Math.min(firstEnd, sliceEnd);
    }

    @Override
    public void advanceProgress(long progress) throws Exception {
        if (TimeWindowUtil.isWindowFired(firstEnd, progress, zone)) {
            flush();
        }
    }

    @Override
    public void flush() throws Exception {
        groups.sendAll();
        firstEnd = Long.MAX_VALUE;
    }

    @Override
    public void close() {
        try {
            groups.close();
        } finally {
            memory.releaseMemory(owner, bytes);
        }
    }

    /**
     * Reserves the memory. If that or anything else fails, nothing stays reserved.
     *
     * @param output is closed with the buffer, and if there is none
     */
    static TableWindowBuffer of(
            LocalAggregation aggregation,
            GroupOutput output,
            MemoryManager memory,
            Object owner,
            long bytes,
            ZoneId zone)
            throws Exception {
        List<AutoCloseable> made = new ArrayList<>(List.of(output));
        try {
            memory.reserveMemory(owner, bytes);
            made.add(() -> memory.releaseMemory(owner, bytes));
            return new TableWindowBuffer(
                    new LocalGroups(
                            aggregation,
                            new RootAllocator(bytes),
                            "raise taskmanager.memory.managed.size",
                            output),
                    zone,
                    memory,
                    owner,
                    bytes);
        } catch (Throwable e) {
            IOUtils.closeAllQuietly(made);
            throw e;
        }
    }

    /**
     * Makes the buffers of an operator of local windows, within the operator's share of managed memory.
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
            return of(
                    aggregation,
                    new RowOutput(aggregation, collector),
                    memoryManager,
                    operatorOwner,
                    memorySize,
                    shiftTimeZone);
        }
    }

    /**
     * Makes the buffers of an operator that has the windows' state, of event time, within the same share.
     *
     * @param aggregation whose accumulators are those of the state
     * @param merging Flink's function that merges them
     */
    @Internal
    public record StateFactory(
            LocalAggregation aggregation, GeneratedNamespaceAggsHandleFunction<Long> merging)
            implements WindowBuffer.Factory {

        private static final long serialVersionUID = 1L;

        @Override
        public WindowBuffer create(
                Object operatorOwner,
                MemoryManager memoryManager,
                long memorySize,
                RuntimeContext runtimeContext,
                WindowTimerService<Long> timerService,
                KeyedStateBackend<RowData> stateBackend,
                WindowState<Long> windowState,
                boolean isEventTime,
                ZoneId shiftTimeZone)
                throws Exception {
            NamespaceAggsHandleFunction<Long> function =
                    merging.newInstance(runtimeContext.getUserCodeClassLoader());
            function.open(
                    new PerWindowStateDataViewStore(
                            stateBackend, LongSerializer.INSTANCE, runtimeContext));
            return of(
                    aggregation,
                    new StateOutput(
                            aggregation,
                            stateBackend,
                            (WindowValueState<Long>) windowState,
                            timerService,
                            function),
                    memoryManager,
                    operatorOwner,
                    memorySize,
                    shiftTimeZone);
        }
    }
}
