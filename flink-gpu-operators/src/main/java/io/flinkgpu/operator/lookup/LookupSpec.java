package io.flinkgpu.operator.lookup;

import io.flinkgpu.api.BatchPolicy;
import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.api.lookup.EmbeddingTable;
import io.flinkgpu.api.lookup.Scoring;
import io.flinkgpu.backend.CompiledProgram;
import io.flinkgpu.backend.Plan;
import io.flinkgpu.backend.plan.EmbeddingPlan;
import io.flinkgpu.backend.plan.ScorePlan;
import io.flinkgpu.backend.plan.TransformedBatch;
import io.flinkgpu.embeddings.TableGauge;
import io.flinkgpu.operator.BatchContext;
import io.flinkgpu.operator.BatchEngine;
import io.flinkgpu.operator.BatchFunction;
import io.flinkgpu.operator.BatchMetrics;
import io.flinkgpu.operator.BatchSpec;
import io.flinkgpu.operator.InFlightBatches;
import io.flinkgpu.operator.RecordBatches;

import org.apache.flink.annotation.Internal;
import org.apache.flink.metrics.MetricGroup;

import java.util.Map;
import java.util.Objects;
import java.util.function.LongSupplier;

/**
 * Looks up what requests ask for.
 *
 * @param scoring of what is looked up; null if there is none
 * @param output makes what is emitted
 */
@Internal
public record LookupSpec<Q, OUT>(EmbeddingPlan plan, Scoring scoring, LookupOutput<Q, OUT> output)
        implements BatchSpec<Q, OUT, TransformedBatch> {

    private static final long serialVersionUID = 1L;

    public LookupSpec {
        Objects.requireNonNull(plan, "plan");
        Objects.requireNonNull(output, "output");
        if (scoring != null) {
            scoring.tablesOf(plan.tables().tables());
        }
    }

    /** The bytes of the columns of as many batches of this policy as may be in flight. */
    public long neededBytes(BatchPolicy policy) {
        return InFlightBatches.MAX_COLUMNS
                * (RequestRows.fullBatchBytes(plan.input(), policy)
                        + VectorRows.fullBatchBytes(plan.tables(), policy));
    }

    @Override
    public long tableBytes(GpuOptions options) {
        return plan.tables().hostBytes();
    }

    @Override
    public BatchFunction<Q, TransformedBatch> open(
            BatchEngine<Q, TransformedBatch> engine, BatchContext<Q, OUT> context)
            throws Exception {
        return open(engine, context, plan, (gauges, rows) -> {});
    }

    /** Gets what is watched of tables, once they are loaded, and what says what records ask for. */
    interface Loaded {

        void loaded(Map<String, LongSupplier> gauges, RequestRows rows) throws Exception;
    }

    /** Likewise, with tables whose base files state knows. */
    BatchFunction<Q, TransformedBatch> open(
            BatchEngine<Q, TransformedBatch> engine,
            BatchContext<Q, OUT> context,
            EmbeddingPlan restored,
            Loaded loaded)
            throws Exception {
        Plan<TransformedBatch> asked =
                scoring == null ? restored : new ScorePlan(restored, scoring);
        CompiledProgram<TransformedBatch> program = engine.open(context, asked);
        Map<String, LongSupplier> gauges = program.gauges();
        MetricGroup group = BatchMetrics.group(context.metrics());
        register(gauges, group);
        if (scoring != null) {
            group.gauge("modelNanWeights", scoring.model()::nanWeights);
        }
        BatchPolicy policy = context.options().batchPolicy();
        RequestRows rows = new RequestRows(plan.input(), engine.allocator(), policy);
        loaded.loaded(gauges, rows);
        return new RecordBatches<>(engine, context, rows.<Q>input(), output.emitter(context), null);
    }

    private void register(Map<String, LongSupplier> gauges, MetricGroup group) {
        for (EmbeddingTable table : plan.tables().tables()) {
            MetricGroup ofTable = group.addGroup("table", table.name());
            for (TableGauge gauge : TableGauge.values()) {
                LongSupplier value = gauges.get(gauge.of(table.name()));
                ofTable.gauge(gauge.metric(), value::getAsLong);
            }
        }
    }
}
