package io.flinkgpu.operator.lookup;

import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.backend.BackendFactory;
import io.flinkgpu.operator.BatchJob;
import io.flinkgpu.operator.RecordReader;

import org.apache.flink.annotation.Internal;
import org.apache.flink.streaming.api.operators.AbstractStreamOperatorFactory;
import org.apache.flink.streaming.api.operators.StreamOperator;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;
import org.apache.flink.streaming.api.operators.TwoInputStreamOperatorFactory;

/**
 * Makes lookups on the TaskManagers. Changes must be broadcast to them by one subtask. In event time requests must
 * be spread with aligned barriers over all, so that all have the same watermarks and changes before a barrier.
 * Travels in the job graph.
 */
@Internal
public final class LookupOperatorFactory<Q, OUT> extends AbstractStreamOperatorFactory<OUT>
        implements TwoInputStreamOperatorFactory<Q, TableChange, OUT> {

    private static final long serialVersionUID = 1L;

    private final LookupSpec<Q, OUT> spec;
    private final LookupMode mode;
    private final RecordReader<Q, AskedRequest> reader;
    private final GpuOptions options;
    private final BackendFactory backend;

    /**
     * @param spec what the subtasks do
     * @param reader of requests, from {@link TableReader#requests}
     * @param options of these, the batch policy and the memory limit are used
     * @param backend opens what the tables are on; no other has them
     */
    public LookupOperatorFactory(
            LookupSpec<Q, OUT> spec,
            LookupMode mode,
            RecordReader<Q, AskedRequest> reader,
            GpuOptions options,
            BackendFactory backend) {
        this.spec = spec;
        this.mode = mode;
        this.reader = reader;
        this.options = options;
        this.backend = backend;
    }

    @Override
    @SuppressWarnings(
            "unchecked") // The framework asks for the type this factory was declared with.
    public <O extends StreamOperator<OUT>> O createStreamOperator(
            StreamOperatorParameters<OUT> parameters) {
        return (O)
                new LookupOperator<>(
                        parameters,
                        new BatchJob<>(spec, options, backend, backend),
                        spec,
                        mode,
                        reader);
    }

    @Override
    @SuppressWarnings("rawtypes") // As declared by Flink.
    public Class<? extends StreamOperator> getStreamOperatorClass(ClassLoader classLoader) {
        return LookupOperator.class;
    }
}
