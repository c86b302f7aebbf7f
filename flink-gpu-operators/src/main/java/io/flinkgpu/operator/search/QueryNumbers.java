package io.flinkgpu.operator.search;

import io.flinkgpu.api.search.SetQuery;

import org.apache.flink.annotation.Internal;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeutils.base.LongSerializer;
import org.apache.flink.runtime.state.FunctionInitializationContext;
import org.apache.flink.runtime.state.FunctionSnapshotContext;
import org.apache.flink.streaming.api.checkpoint.CheckpointedFunction;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.util.Collector;

import java.util.List;

/**
 * Reads queries of records and numbers them. After a restore a number is larger than all before, of any
 * subtask, so that there may be more or fewer subtasks.
 *
 * @param <Q> a query's record
 */
@Internal
public final class QueryNumbers<Q> extends ProcessFunction<Q, NumberedQuery<Q>>
        implements CheckpointedFunction {

    private static final long serialVersionUID = 1L;

    private final SetReader<Q, SetQuery> reader;
    private transient int origin;
    private transient long next;
    private transient ListState<Long> state;

    public QueryNumbers(SetReader<Q, SetQuery> reader) {
        this.reader = reader;
    }

    @Override
    public void initializeState(FunctionInitializationContext context) throws Exception {
        state =
                context.getOperatorStateStore()
                        .getUnionListState(
                                new ListStateDescriptor<>("next-number", LongSerializer.INSTANCE));
        for (long number : state.get()) {
            next = Math.max(next, number);
        }
    }

    @Override
    public void snapshotState(FunctionSnapshotContext context) throws Exception {
        state.update(List.of(next));
    }

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
