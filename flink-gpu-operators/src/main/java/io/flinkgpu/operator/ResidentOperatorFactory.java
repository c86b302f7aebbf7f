package io.flinkgpu.operator;

import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.backend.BackendFactory;

import org.apache.flink.annotation.Internal;
import org.apache.flink.streaming.api.operators.AbstractStreamOperatorFactory;
import org.apache.flink.streaming.api.operators.StreamOperator;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;
import org.apache.flink.streaming.api.operators.TwoInputStreamOperatorFactory;

import java.util.Objects;

/**
 * Makes operators of records and of changes of what their batches read, on the TaskManagers. The changes
 * must be broadcast. Travels in the job graph.
 */
@Internal
public final class ResidentOperatorFactory<IN, C, OUT> extends AbstractStreamOperatorFactory<OUT>
        implements TwoInputStreamOperatorFactory<IN, C, OUT> {

    private static final long serialVersionUID = 1L;

    private final BatchJob<IN, OUT, ?> job;
    private final ResidentSpec<?, C> resident;

    /**
     * @param spec what the operators do with records
     * @param resident what the changes are of
     * @param options of these, the batch policy, the memory limit and the hash key are used
     * @param backend opens what runs the batches
     * @param fallback opens what runs a batch that the first backend has no memory for
     */
    public ResidentOperatorFactory(
            BatchSpec<IN, OUT, ?> spec,
            ResidentSpec<?, C> resident,
            GpuOptions options,
            BackendFactory backend,
            BackendFactory fallback) {
        this.job = new BatchJob<>(spec, options, backend, fallback);
        this.resident = Objects.requireNonNull(resident, "resident");
    }

    @Override
    @SuppressWarnings(
            "unchecked") // The framework asks for the type this factory was declared with.
    public <O extends StreamOperator<OUT>> O createStreamOperator(
            StreamOperatorParameters<OUT> parameters) {
        return (O) new ResidentOperator<>(parameters, job, resident);
    }

    @Override
    @SuppressWarnings("rawtypes") // As declared by Flink.
    public Class<? extends StreamOperator> getStreamOperatorClass(ClassLoader classLoader) {
        return ResidentOperator.class;
    }
}
