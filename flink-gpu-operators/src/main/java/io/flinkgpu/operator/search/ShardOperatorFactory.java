package io.flinkgpu.operator.search;

import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.backend.BackendFactory;
import io.flinkgpu.operator.BatchJob;

import org.apache.flink.annotation.Internal;
import org.apache.flink.streaming.api.operators.AbstractStreamOperatorFactory;
import org.apache.flink.streaming.api.operators.StreamOperator;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;
import org.apache.flink.streaming.api.operators.TwoInputStreamOperatorFactory;

/**
 * Makes shards on the TaskManagers. Queries must be broadcast to them, and changes partitioned by their ids,
 * both with aligned barriers, so that all shards have the same queries and watermarks before a barrier.
 * Travels in the job graph.
 */
@Internal
public final class ShardOperatorFactory<Q, OUT> extends AbstractStreamOperatorFactory<OUT>
        implements TwoInputStreamOperatorFactory<NumberedQuery<Q>, DocumentChange, OUT> {

    private static final long serialVersionUID = 1L;

    private final SearchSpec<Q, OUT> spec;
    private final boolean eventTime;
    private final GpuOptions options;
    private final BackendFactory backend;

    /**
     * @param spec what the shards do
     * @param eventTime whether queries and changes wait for the watermark
     * @param options of these, the batch policy and the memory limit are used
     * @param backend opens what the documents are on; no other has them
     */
    public ShardOperatorFactory(
            SearchSpec<Q, OUT> spec,
            boolean eventTime,
            GpuOptions options,
            BackendFactory backend) {
        this.spec = spec;
        this.eventTime = eventTime;
        this.options = options;
        this.backend = backend;
    }

    @Override
    @SuppressWarnings(
            "unchecked") // The framework asks for the type this factory was declared with.
    public <O extends StreamOperator<OUT>> O createStreamOperator(
            StreamOperatorParameters<OUT> parameters) {
        return (O)
                new ShardOperator<>(
                        parameters,
                        new BatchJob<>(spec, options, backend, backend),
                        spec,
                        eventTime);
    }

    @Override
    @SuppressWarnings("rawtypes") // As declared by Flink.
    public Class<? extends StreamOperator> getStreamOperatorClass(ClassLoader classLoader) {
        return ShardOperator.class;
    }
}
