package io.flinkgpu.operator.redact;

import io.flinkgpu.api.BatchPolicy;
import io.flinkgpu.backend.plan.RedactPlan;
import io.flinkgpu.backend.plan.RedactedBatch;
import io.flinkgpu.column.BatchBuilder;
import io.flinkgpu.column.BatchCodec;
import io.flinkgpu.operator.BatchContext;
import io.flinkgpu.operator.BatchEngine;
import io.flinkgpu.operator.BatchFunction;
import io.flinkgpu.operator.BatchInput;
import io.flinkgpu.operator.BatchSpec;
import io.flinkgpu.operator.InFlightBatches;
import io.flinkgpu.operator.RecordBatches;
import io.flinkgpu.text.CompiledRules;

import org.apache.flink.annotation.Internal;

import java.util.Objects;

/**
 * Redacts the text of each record.
 *
 * @param codec reads and writes the text of records
 */
@Internal
public record RedactSpec<T>(BatchCodec<T> codec, CompiledRules rules)
        implements BatchSpec<T, T, RedactedBatch> {

    private static final long serialVersionUID = 1L;

    public RedactSpec {
        Objects.requireNonNull(codec, "codec");
        Objects.requireNonNull(rules, "rules");
    }

    /** The bytes of the columns of as many batches of this policy as may be in flight. */
    public static long neededBytes(BatchPolicy policy) {
        return InFlightBatches.MAX_COLUMNS
                * BatchBuilder.fullBatchBytes(policy.maxRows(), policy.maxBytes());
    }

    @Override
    public BatchFunction<T, RedactedBatch> open(
            BatchEngine<T, RedactedBatch> engine, BatchContext<T, T> context) throws Exception {
        engine.open(context, new RedactPlan(rules));
        BatchPolicy policy = context.options().batchPolicy();
        BatchBuilder builder =
                new BatchBuilder(
                        engine.allocator(),
                        policy.maxRows(),
                        policy.maxBytes(),
                        codec.separatorBytes());
        RedactMetrics metrics =
                new RedactMetrics(context.metrics(), context.runtime(), rules.ruleSet());
        return new RecordBatches<>(
                engine,
                context,
                new BatchInput<>(builder, record -> codec.append(record, builder)),
                new RedactEmitter<>(codec, context.output(), metrics),
                null);
    }
}
