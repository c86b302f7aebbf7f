package io.flinkgpu.operator.lines;

import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.api.LineChunk;
import io.flinkgpu.api.Lines;
import io.flinkgpu.backend.BackendFactory;
import io.flinkgpu.text.CompiledRules;

import org.apache.flink.streaming.api.operators.AbstractStreamOperatorFactory;
import org.apache.flink.streaming.api.operators.ChainingStrategy;
import org.apache.flink.streaming.api.operators.OneInputStreamOperatorFactory;
import org.apache.flink.streaming.api.operators.StreamOperator;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;
import org.apache.flink.streaming.api.operators.legacy.YieldingOperatorFactory;

/** Makes the operators that read lines and redact them. Travels in the job graph. */
// Flink knows by this interface alone not to chain an operator that yields behind a legacy source,
// whose thread is not the mailbox's. Flink's own AsyncWaitOperatorFactory has it for the same
// reason.
@SuppressWarnings("deprecation") // There is no successor for this purpose.
public final class LineRedactOperatorFactory extends AbstractStreamOperatorFactory<LineChunk>
        implements OneInputStreamOperatorFactory<Lines, LineChunk>,
                YieldingOperatorFactory<LineChunk> {

    private static final long serialVersionUID = 1L;

    private final LineRedaction redaction;

    /**
     * @param options of these, the batch policy, the memory limit and the hash key are used
     * @param backend opens what runs the batches
     * @param fallback opens what runs a batch that the first backend has no memory for
     * @param lendsLines whether chunks have their lines only until whoever is next in the chain returns, or
     *     in arrays of their own
     */
    public LineRedactOperatorFactory(
            CompiledRules rules,
            GpuOptions options,
            BackendFactory backend,
            BackendFactory fallback,
            boolean lendsLines) {
        this.redaction = new LineRedaction(rules, options, backend, fallback, lendsLines);
        this.chainingStrategy = ChainingStrategy.ALWAYS;
    }

    @Override
    @SuppressWarnings(
            "unchecked") // The framework asks for the type this factory was declared with.
    public <O extends StreamOperator<LineChunk>> O createStreamOperator(
            StreamOperatorParameters<LineChunk> parameters) {
        return (O) new LineRedactOperator(parameters, redaction);
    }

    @Override
    @SuppressWarnings("rawtypes") // As declared by Flink.
    public Class<? extends StreamOperator> getStreamOperatorClass(ClassLoader classLoader) {
        return LineRedactOperator.class;
    }
}
