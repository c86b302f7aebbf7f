package io.flinkgpu.operator.window;

import io.flinkgpu.groups.KeyCodec;
import io.flinkgpu.state.Partial;
import io.flinkgpu.state.PartialTypeInfo;

import org.apache.flink.annotation.Internal;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;
import org.apache.flink.streaming.api.operators.sorted.state.BatchExecutionKeyedStateBackend;

/**
 * What the operators of windows have of Flink's: their plan, their keys, and whether they were restored. All methods
 * are the task thread's.
 *
 * @param <T> the record
 * @param <K> the user's key
 * @param <S> the key in state
 * @param <R> what is emitted
 */
@Internal
public abstract class AbstractWindowOperator<T, K, S, R> extends AbstractStreamOperator<R>
        implements OneInputStreamOperator<WindowInput<S, T>, R> {

    private static final long serialVersionUID = 1L;

    protected final transient WindowPlan<T, K, S, R> plan;
    private transient boolean restored;

    protected AbstractWindowOperator(
            StreamOperatorParameters<R> parameters, WindowPlan<T, K, S, R> plan) {
        // setup() reads the time service, so it must be there before.
        this.processingTimeService = parameters.getProcessingTimeService();
        setup(parameters.getContainingTask(), parameters.getStreamConfig(), parameters.getOutput());
        this.plan = plan;
    }

    @Override
    public final void initializeState(StateInitializationContext context) throws Exception {
        super.initializeState(context);
        restored = context.isRestored();
    }

    protected final boolean isRestored() {
        return restored;
    }

    /** Whether records come key by key, and state forgets each key after its records. */
    protected final boolean isBatchExecution() {
        return getKeyedStateBackend() instanceof BatchExecutionKeyedStateBackend;
    }

    /** How many key groups the operator has, those of other subtasks included. */
    protected final int keyGroups() {
        return getRuntimeContext().getTaskInfo().getMaxNumberOfParallelSubtasks();
    }

    @SuppressWarnings("unchecked") // The stream is keyed by these keys.
    protected final TypeSerializer<S> keySerializer() {
        return (TypeSerializer<S>) getKeyedStateBackend().getKeySerializer();
    }

    /** A new one, the caller's. */
    protected final KeyCodec<S> newKeyCodec() {
        return KeyCodec.of(keySerializer().duplicate());
    }

    /** Of the state of Flink's window operator. */
    protected final TypeSerializer<Partial> partialSerializer() {
        return new PartialTypeInfo(plan.aggregates().specs())
                .createSerializer(getExecutionConfig().getSerializerConfig());
    }

    /** The current one. */
    @SuppressWarnings("unchecked") // The stream is keyed by these keys.
    protected final S key() {
        return (S) getCurrentKey();
    }
}
