package io.flinkgpu.operator;

import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.backend.BackendFactory;

import org.apache.flink.annotation.Internal;
import org.apache.flink.streaming.api.operators.AbstractStreamOperatorFactory;
import org.apache.flink.streaming.api.operators.ChainingStrategy;
import org.apache.flink.streaming.api.operators.OneInputStreamOperatorFactory;
import org.apache.flink.streaming.api.operators.StreamOperator;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;
import org.apache.flink.streaming.api.operators.legacy.YieldingOperatorFactory;

/** Makes operators that work in batches, on the TaskManagers. Travels in the job graph. */
// Flink knows by this interface alone not to chain an operator that yields to a legacy source,
// whose
// thread is not the mailbox's. Flink's own AsyncWaitOperatorFactory has it for the same reason.
@SuppressWarnings("deprecation") // There is no successor for this purpose.
@Internal
public final class BatchOperatorFactory<IN, OUT> extends AbstractStreamOperatorFactory<OUT>
        implements OneInputStreamOperatorFactory<IN, OUT>, YieldingOperatorFactory<OUT> {

    private static final long serialVersionUID = 1L;

    private final BatchJob<IN, OUT, ?> job;

    /**
     * @param spec what the operators do
     * @param options of these, the batch policy, the memory limit and the hash key are used
     * @param backend opens what runs the batches
     * @param fallback opens what runs a batch that the first backend has no memory for
     */
    public BatchOperatorFactory(
            BatchSpec<IN, OUT, ?> spec,
            GpuOptions options,
            BackendFactory backend,
            BackendFactory fallback) {
        this.job = new BatchJob<>(spec, options, backend, fallback);
        this.chainingStrategy = ChainingStrategy.ALWAYS;
    }

    @Override
    @SuppressWarnings(
            "unchecked") // The framework asks for the type this factory was declared with.
    public <O extends StreamOperator<OUT>> O createStreamOperator(
            StreamOperatorParameters<OUT> parameters) {
        return (O) new BatchOperator<>(parameters, job);
    }

    @Override
    @SuppressWarnings("rawtypes") // As declared by Flink.
    public Class<? extends StreamOperator> getStreamOperatorClass(ClassLoader classLoader) {
        return BatchOperator.class;
    }
}
