package io.flinkgpu.operator.transform;

import io.flinkgpu.api.BatchPolicy;
import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.backend.BackendFactory;
import io.flinkgpu.column.RowBatchBuilder;
import io.flinkgpu.operator.InFlightBatches;
import io.flinkgpu.program.Program;

import org.apache.flink.streaming.api.operators.AbstractStreamOperatorFactory;
import org.apache.flink.streaming.api.operators.ChainingStrategy;
import org.apache.flink.streaming.api.operators.OneInputStreamOperatorFactory;
import org.apache.flink.streaming.api.operators.StreamOperator;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;
import org.apache.flink.streaming.api.operators.legacy.YieldingOperatorFactory;

import java.util.Objects;

/** Makes operators of expressions on the TaskManagers. Travels in the job graph. */
// Flink knows by this interface alone not to chain an operator that yields behind a legacy source,
// whose thread is not the mailbox's. Flink's own AsyncWaitOperatorFactory has it for the same
// reason.
@SuppressWarnings("deprecation") // There is no successor for this purpose.
public final class TransformOperatorFactory<IN, OUT> extends AbstractStreamOperatorFactory<OUT>
        implements OneInputStreamOperatorFactory<IN, OUT>, YieldingOperatorFactory<OUT> {

    private static final long serialVersionUID = 1L;

    private final TransformCodec<IN, OUT> codec;
    private final Program program;
    private final GpuOptions options;
    private final BackendFactory backend;
    private final BackendFactory fallback;

    /**
     * @param codec fills the columns that the program reads, and makes records of its results
     * @param options of these, the batch policy, the memory limit and the hash key are used
     * @param backend opens what runs the batches
     * @param fallback opens what runs a batch that the first backend has no memory for
     */
    public TransformOperatorFactory(
            TransformCodec<IN, OUT> codec,
            Program program,
            GpuOptions options,
            BackendFactory backend,
            BackendFactory fallback) {
        this.codec = Objects.requireNonNull(codec, "codec");
        this.program = Objects.requireNonNull(program, "program");
        this.options = Objects.requireNonNull(options, "options");
        this.backend = Objects.requireNonNull(backend, "backend");
        this.fallback = Objects.requireNonNull(fallback, "fallback");
        this.chainingStrategy = ChainingStrategy.ALWAYS;
    }

    /**
     * The columns that batches of this policy take while as many as may be are on their way, with
     * results whose texts are about as long as what they are made of.
     */
    public static long neededBytes(BatchPolicy policy, Program program) {
        int rows = policy.maxRows();
        int bytes = policy.maxBytes();
        return InFlightBatches.MAX_COLUMNS
                / 2
                * (RowBatchBuilder.fullBatchBytes(rows, bytes, program.types())
                        + RowBatchBuilder.fullBatchBytes(rows, bytes, program.resultTypes()));
    }

    @Override
    @SuppressWarnings(
            "unchecked") // The framework asks for the type this factory was declared with.
    public <O extends StreamOperator<OUT>> O createStreamOperator(
            StreamOperatorParameters<OUT> parameters) {
        return (O) new TransformOperator<>(parameters, codec, program, options, backend, fallback);
    }

    @Override
    @SuppressWarnings("rawtypes") // As declared by Flink.
    public Class<? extends StreamOperator> getStreamOperatorClass(ClassLoader classLoader) {
        return TransformOperator.class;
    }
}
