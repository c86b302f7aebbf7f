package io.flinkgpu.operator.search;

import io.flinkgpu.api.BatchPolicy;
import io.flinkgpu.backend.CompiledProgram;
import io.flinkgpu.backend.plan.SearchPlan;
import io.flinkgpu.backend.plan.SearchedBatch;
import io.flinkgpu.operator.BatchContext;
import io.flinkgpu.operator.BatchEngine;
import io.flinkgpu.operator.BatchFunction;
import io.flinkgpu.operator.BatchMetrics;
import io.flinkgpu.operator.BatchSpec;
import io.flinkgpu.operator.DeviceTime;
import io.flinkgpu.operator.InFlightBatches;
import io.flinkgpu.operator.RecordBatches;

import org.apache.flink.annotation.Internal;
import org.apache.flink.metrics.MetricGroup;

import java.util.Objects;

/**
 * Answers queries of a shard.
 *
 * @param form of the answers
 */
@Internal
public record SearchSpec<Q, OUT>(SearchPlan plan, AnswerForm<Q, OUT> form)
        implements BatchSpec<NumberedQuery<Q>, OUT, SearchedBatch> {

    private static final long serialVersionUID = 1L;

    public SearchSpec {
        Objects.requireNonNull(plan, "plan");
        Objects.requireNonNull(form, "form");
    }

    /** The bytes of the columns of as many batches of this policy as may be in flight. */
    public long neededBytes(BatchPolicy policy) {
        return InFlightBatches.MAX_COLUMNS
                * (QueryRows.fullBatchBytes(plan.input(), policy)
                        + ChangeRows.fullBatchBytes(plan.corpus(), policy));
    }

    @Override
    public BatchFunction<NumberedQuery<Q>, SearchedBatch> open(
            BatchEngine<NumberedQuery<Q>, SearchedBatch> engine,
            BatchContext<NumberedQuery<Q>, OUT> context)
            throws Exception {
        CompiledProgram<SearchedBatch> program = engine.open(context, plan);
        MetricGroup group = BatchMetrics.group(context.metrics());
        program.gauges().forEach((name, value) -> group.gauge(name, value::getAsLong));
        QueryRows rows = new QueryRows(plan, engine.allocator(), context.options().batchPolicy());
        return new RecordBatches<>(
                engine,
                context,
                rows.input(),
                new AnswerEmitter<>(
                        plan.similarity(),
                        form.in(context.runtime().getTaskInfo()),
                        context.output(),
                        new DeviceTime(context.metrics())),
                null);
    }
}
