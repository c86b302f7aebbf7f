package io.flinkgpu.operator.redact;

import io.flinkgpu.api.BatchPolicy;
import io.flinkgpu.api.RefusedRecord;
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
import org.apache.flink.util.OutputTag;

import java.util.List;
import java.util.Objects;

/**
 * Redacts the text of each record.
 *
 * @param codec reads and writes the text of records
 * @param quarantine where the places of records go that cannot be redacted; null if they fail the task
 * @param fields the names of a record's texts; none of chunks of lines
 * @param findings where findings go; null if nowhere
 */
@Internal
public record RedactSpec<T>(
        BatchCodec<T> codec,
        CompiledRules rules,
        OutputTag<RefusedRecord> quarantine,
        List<String> fields,
        FindingOutput.Target findings)
        implements BatchSpec<T, T, RedactedBatch> {

    private static final long serialVersionUID = 1L;

    public RedactSpec {
        Objects.requireNonNull(codec, "codec");
        Objects.requireNonNull(rules, "rules");
        fields = List.copyOf(fields);
    }

    /** The bytes of the columns of as many batches of this policy as may be in flight. */
    public static long neededBytes(BatchPolicy policy) {
        return InFlightBatches.MAX_COLUMNS
                * BatchBuilder.fullBatchBytes(policy.maxRows(), policy.maxBytes());
    }

    @Override
    public BatchFunction<T, RedactedBatch> open(
            BatchEngine<T, RedactedBatch> engine, BatchContext<T, T> context) throws Exception {
        engine.open(
                context,
                new RedactPlan(rules, quarantine != null, findings == null ? 0 : findings.every()));
        BatchPolicy policy = context.options().batchPolicy();
        BatchBuilder builder =
                new BatchBuilder(
                        engine.allocator(),
                        policy.maxRows(),
                        policy.maxBytes(),
                        codec.separatorBytes());
        RedactMetrics metrics =
                new RedactMetrics(context.metrics(), context.runtime(), rules.ruleSet());
        Quarantine<T> refusals = quarantine == null ? null : new Quarantine<>(quarantine, context);
        FindingOutput sent = FindingOutput.of(findings, context, rules.ruleSet());
        return new RecordBatches<>(
                engine,
                context,
                new BatchInput<>(builder, record -> codec.append(record, builder)),
                new RedactEmitter<>(
                        codec,
                        context.output(),
                        metrics,
                        refusals,
                        sent == null ? null : new RecordFindings<>(sent, fields)),
                null,
                refusals);
    }
}
