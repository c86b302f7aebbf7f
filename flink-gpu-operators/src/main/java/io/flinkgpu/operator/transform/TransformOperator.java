package io.flinkgpu.operator.transform;

import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.api.HashKey;
import io.flinkgpu.backend.BackendFactory;
import io.flinkgpu.backend.plan.TransformedBatch;
import io.flinkgpu.operator.BatchEmitter;
import io.flinkgpu.operator.BatchInput;
import io.flinkgpu.operator.BatchMetrics;
import io.flinkgpu.operator.BatchProgram;
import io.flinkgpu.operator.DeviceTime;
import io.flinkgpu.operator.MicroBatchOperator;
import io.flinkgpu.program.Program;

import org.apache.flink.metrics.Counter;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

import org.apache.arrow.memory.BufferAllocator;

/**
 * Computes expressions of each record, in batches, or as soon as it comes where the backend prefers
 * that. Then a record that needs a batch opens one, and those behind it join it, so that all keep their
 * order, until no batch is open or on its way any more. On a keyed stream the output is not keyed any
 * more, as with any Flink map: nothing here uses keyed state.
 */
final class TransformOperator<IN, OUT> extends MicroBatchOperator<IN, OUT, TransformedBatch> {

    private static final long serialVersionUID = 1L;

    private final transient TransformCodec<IN, OUT> codec;
    private final transient Program program;
    private final transient GpuOptions options;
    private final transient BackendFactory backend;
    private final transient BackendFactory fallback;

    private transient TransformProgram transformProgram;

    /** Null where all records go in batches. */
    private transient SingleRows<IN, OUT> singleRows;

    private transient Counter singleRowCount;

    TransformOperator(
            StreamOperatorParameters<OUT> parameters,
            TransformCodec<IN, OUT> codec,
            Program program,
            GpuOptions options,
            BackendFactory backend,
            BackendFactory fallback) {
        super(parameters, options.batchPolicy());
        this.codec = codec;
        this.program = program;
        this.options = options;
        this.backend = backend;
        this.fallback = fallback;
    }

    @Override
    public void open() throws Exception {
        super.open();
        singleRowCount = BatchMetrics.group(getMetricGroup()).counter("singleRows");
        singleRows =
                transformProgram
                        .rowProgram()
                        .flatMap(rows -> codec.singleRows(rows, output))
                        .orElse(null);
    }

    @Override
    public void processElement(StreamRecord<IN> element) throws Exception {
        if (singleRows != null
                && !hasOpenBatch()
                && inFlight.isEmpty()
                && singleRows.process(element)) {
            singleRowCount.inc();
        } else {
            super.processElement(element);
        }
    }

    @Override
    protected BatchInput<IN> createInput(BufferAllocator allocator) {
        return codec.input(allocator, options.batchPolicy());
    }

    @Override
    protected BatchProgram<TransformedBatch> createProgram() {
        byte[] hashKey =
                program.needsHashKey()
                        ? options.hashKey().map(HashKey::load).orElseThrow()
                        : new byte[0];
        transformProgram =
                new TransformProgram(
                        backend,
                        fallback,
                        options.memoryLimitBytes(),
                        getRuntimeContext(),
                        program,
                        hashKey);
        return transformProgram;
    }

    @Override
    protected BatchEmitter<IN, TransformedBatch> createEmitter() {
        DeviceTime deviceTime = new DeviceTime(getMetricGroup());
        return codec.emitter(output, deviceTime);
    }
}
