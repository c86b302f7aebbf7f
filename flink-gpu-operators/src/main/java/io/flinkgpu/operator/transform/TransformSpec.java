package io.flinkgpu.operator.transform;

import io.flinkgpu.api.BatchPolicy;
import io.flinkgpu.backend.Backend;
import io.flinkgpu.backend.plan.TransformPlan;
import io.flinkgpu.backend.plan.TransformedBatch;
import io.flinkgpu.column.RowBatchBuilder;
import io.flinkgpu.operator.BatchContext;
import io.flinkgpu.operator.BatchEngine;
import io.flinkgpu.operator.BatchFunction;
import io.flinkgpu.operator.BatchMetrics;
import io.flinkgpu.operator.BatchSpec;
import io.flinkgpu.operator.DeviceTime;
import io.flinkgpu.operator.InFlightBatches;
import io.flinkgpu.operator.PlanRunner;
import io.flinkgpu.operator.RecordBatches;
import io.flinkgpu.program.Program;

import org.apache.flink.metrics.Counter;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

import java.util.Objects;
import java.util.function.Predicate;

/**
 * Computes expressions of each record, in batches, or as soon as it comes where the backend prefers
 * that. Then a record that needs a batch opens one, and those after it join it, so that all keep their
 * order, until no batch is open or on its way any more.
 *
 * @param codec fills the columns that the program reads, and makes records of its results
 */
public record TransformSpec<IN, OUT>(TransformCodec<IN, OUT> codec, Program program)
        implements BatchSpec<IN, OUT, TransformedBatch> {

    private static final long serialVersionUID = 1L;

    public TransformSpec {
        Objects.requireNonNull(codec, "codec");
        Objects.requireNonNull(program, "program");
    }

    /**
     * The bytes of the columns of as many batches of this policy as may be in flight, with
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
    public BatchFunction<IN, TransformedBatch> open(
            BatchEngine<IN, TransformedBatch> engine, BatchContext<IN, OUT> context)
            throws Exception {
        PlanRunner<TransformedBatch, TransformedBatch> runner =
                PlanRunner.of(context, new TransformPlan(program));
        Backend backend = engine.open(context.runtime(), runner);
        Counter singleRows = BatchMetrics.group(context.metrics()).counter("singleRows");
        Predicate<StreamRecord<IN>> alone =
                runner.program()
                        .rows()
                        .map(rows -> codec.singleRows(rows, context.output(), singleRows))
                        .orElse(null);
        return new RecordBatches<>(
                engine,
                context,
                codec.input(backend.allocator(), context.options().batchPolicy()),
                codec.emitter(context.output(), new DeviceTime(context.metrics())),
                alone);
    }
}
