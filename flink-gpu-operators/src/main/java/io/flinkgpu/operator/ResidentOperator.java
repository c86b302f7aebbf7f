package io.flinkgpu.operator;

import org.apache.flink.api.common.state.BroadcastState;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.util.IOUtils;

import java.util.Map;

/**
 * An operator of two inputs: records that go into batches, and changes of what their batches read, which is
 * resident on the backend. Results are those of the order of arrival: a record sees all changes that came
 * before it and none after. So a change ends the open batch; changes that follow each other are applied
 * together, before the next batch.
 *
 * <p>The state is the resident's copy on the host. It is broadcast state: each subtask has all of it, as
 * its device has, whichever way the records are partitioned; with another number of subtasks each gets a
 * whole copy of those that were equal at the barrier, as the changes are broadcast. Keyed state would be
 * split by keys, and so would have the records to be. {@link #open()} replays it; changes that are
 * in it but not yet applied when a barrier passes need no more.
 *
 * @param <IN> what goes into batches
 * @param <C> a change
 * @param <K> what changes are told apart by
 */
final class ResidentOperator<IN, C, OUT, R extends AutoCloseable, K>
        extends TwoInputBatchOperator<IN, C, OUT, R> {

    private static final long serialVersionUID = 1L;

    private final transient ResidentSpec<K, C> resident;
    private transient BroadcastState<K, C> state;
    private transient ResidentChanges<C> changes;

    /** Null where the input leaves its changes alone. */
    private transient TypeSerializer<C> copier;

    ResidentOperator(
            StreamOperatorParameters<OUT> parameters,
            BatchJob<IN, OUT, R> job,
            ResidentSpec<K, C> resident) {
        super(parameters, job);
        this.resident = resident;
    }

    @Override
    public void initializeState(StateInitializationContext context) throws Exception {
        super.initializeState(context);
        state = context.getOperatorStateStore().getBroadcastState(resident.state());
    }

    @Override
    public void open() throws Exception {
        super.open();
        if (getExecutionConfig().isObjectReuseEnabled()) {
            copier = getOperatorConfig().getTypeSerializerIn(1, getUserCodeClassloader());
        }
        changes =
                new ResidentChanges<>(
                        engine, resident.input(engine.allocator(), job.options().batchPolicy()));
        for (Map.Entry<K, C> entry : state.entries()) {
            changes.add(entry.getValue());
        }
    }

    @Override
    public void processElement1(StreamRecord<IN> element) throws Exception {
        if (!changes.isEmpty()) {
            changes.send();
        }
        process(element);
    }

    @Override
    public void processElement2(StreamRecord<C> element) throws Exception {
        if (engine.hasOpenBatch()) {
            engine.flush(FlushReason.CHANGE);
        }
        C change = copier == null ? element.getValue() : copier.copy(element.getValue());
        K key = resident.key(change);
        if (resident.removes(change)) {
            state.remove(key);
        } else {
            state.put(key, change);
        }
        changes.add(change);
    }

    @Override
    public void close() throws Exception {
        IOUtils.closeAll(changes, super::close);
    }
}
