package io.flinkgpu.operator.redact;

import io.flinkgpu.api.BatchPolicy;
import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.backend.BackendFactory;
import io.flinkgpu.column.BatchBuilder;
import io.flinkgpu.column.BatchCodec;
import io.flinkgpu.operator.InFlightBatches;
import io.flinkgpu.text.CompiledRules;

import org.apache.flink.streaming.api.operators.AbstractStreamOperatorFactory;
import org.apache.flink.streaming.api.operators.ChainingStrategy;
import org.apache.flink.streaming.api.operators.OneInputStreamOperatorFactory;
import org.apache.flink.streaming.api.operators.StreamOperator;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;
import org.apache.flink.streaming.api.operators.legacy.YieldingOperatorFactory;

import java.util.Objects;

/** Makes redaction operators on the TaskManagers. Travels in the job graph. */
// Flink knows by this interface alone not to chain an operator that yields behind a legacy source,
// whose thread is not the mailbox's. Flink's own AsyncWaitOperatorFactory has it for the same
// reason.
@SuppressWarnings("deprecation") // There is no successor for this purpose.
public final class RedactOperatorFactory<T> extends AbstractStreamOperatorFactory<T>
        implements OneInputStreamOperatorFactory<T, T>, YieldingOperatorFactory<T> {

    private static final long serialVersionUID = 1L;

    private final BatchCodec<T> codec;
    private final CompiledRules rules;
    private final GpuOptions options;
    private final BackendFactory backend;
    private final BackendFactory fallback;

    /**
     * @param codec reads and writes the text of records
     * @param options of these, the batch policy, the memory limit and the hash key are used
     * @param backend opens what runs the batches
     * @param fallback opens what runs a batch that the first backend has no memory for
     */
    public RedactOperatorFactory(
            BatchCodec<T> codec,
            CompiledRules rules,
            GpuOptions options,
            BackendFactory backend,
            BackendFactory fallback) {
        this.codec = Objects.requireNonNull(codec, "codec");
        this.rules = Objects.requireNonNull(rules, "rules");
        this.options = Objects.requireNonNull(options, "options");
        this.backend = Objects.requireNonNull(backend, "backend");
        this.fallback = Objects.requireNonNull(fallback, "fallback");
        this.chainingStrategy = ChainingStrategy.ALWAYS;
    }

    /** The columns that batches of this policy take while as many as may be are on their way. */
    public static long neededBytes(BatchPolicy policy) {
        return InFlightBatches.MAX_COLUMNS
                * BatchBuilder.fullBatchBytes(policy.maxRows(), policy.maxBytes());
    }

    @Override
    @SuppressWarnings(
            "unchecked") // The framework asks for the type this factory was declared with.
    public <O extends StreamOperator<T>> O createStreamOperator(
            StreamOperatorParameters<T> parameters) {
        return (O) new RedactOperator<>(parameters, codec, rules, options, backend, fallback);
    }

    @Override
    @SuppressWarnings("rawtypes") // As declared by Flink.
    public Class<? extends StreamOperator> getStreamOperatorClass(ClassLoader classLoader) {
        return RedactOperator.class;
    }
}
