package io.flinkgpu.operator.search;

import io.flinkgpu.api.search.SetQuery;
import io.flinkgpu.operator.RecordReader;

import org.apache.flink.annotation.Internal;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.BroadcastState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.OperatorStateStore;
import org.apache.flink.api.common.typeutils.base.IntSerializer;
import org.apache.flink.api.common.typeutils.base.LongSerializer;
import org.apache.flink.runtime.state.FunctionInitializationContext;
import org.apache.flink.runtime.state.FunctionSnapshotContext;
import org.apache.flink.streaming.api.checkpoint.CheckpointedFunction;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.util.Collector;

/**
 * Reads queries of records and numbers them. After a restore a number is larger than all before, of any
 * subtask, so that there may be more or fewer subtasks: its upper bits are how often the job was restored. All
 * subtasks have the same state, of which each new one gets a copy also where some have finished: Flink takes
 * no checkpoint of union state then.
 *
 * @param <Q> a query's record
 */
@Internal
public final class QueryNumbers<Q> extends ProcessFunction<Q, NumberedQuery<Q>>
        implements CheckpointedFunction {

    private static final long serialVersionUID = 1L;

    /** The lower bits of a number: a subtask gives fewer than a trillion before it is restored. */
    private static final int NUMBER_BITS = 40;

    private static final int KEY = 0;

    /** Of union state: the next number, in savepoints of subtasks that did not count restores. */
    private static final String NEXT_NUMBER = "next-number";

    private final RecordReader<Q, SetQuery> reader;
    private transient int origin;
    private transient long next;

    public QueryNumbers(RecordReader<Q, SetQuery> reader) {
        this.reader = reader;
    }

    @Override
    public void initializeState(FunctionInitializationContext context) throws Exception {
        OperatorStateStore store = context.getOperatorStateStore();
        BroadcastState<Integer, Long> restores =
                store.getBroadcastState(
                        new MapStateDescriptor<>(
                                "restores", IntSerializer.INSTANCE, LongSerializer.INSTANCE));
        Long before = restores.get(KEY);
        long now = (before == null ? 0 : before) + (context.isRestored() ? 1 : 0);
        restores.put(KEY, now);
        next = now << NUMBER_BITS;
        if (store.getRegisteredStateNames().contains(NEXT_NUMBER)) {
            // Each subtask has all of it, and would write it again.
            store.getUnionListState(new ListStateDescriptor<>(NEXT_NUMBER, LongSerializer.INSTANCE))
                    .clear();
        }
    }

    /** The state was made when the subtask started. */
    @Override
    public void snapshotState(FunctionSnapshotContext context) {}

    @Override
    public void open(OpenContext context) {
        reader.open(getRuntimeContext());
        origin = getRuntimeContext().getTaskInfo().getIndexOfThisSubtask();
    }

    @Override
    public void processElement(Q record, Context context, Collector<NumberedQuery<Q>> out) {
        SetQuery query = reader.read(record, context);
        if (query != null) {
            out.collect(new NumberedQuery<>(origin, next++, record, query));
        }
    }
}
