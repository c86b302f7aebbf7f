package io.flinkgpu.operator.window;

import io.flinkgpu.backend.Backend;
import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.CompiledProgram;
import io.flinkgpu.backend.plan.AggregatePlan;
import io.flinkgpu.backend.plan.GroupedBatch;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.operator.BackendProgram;
import io.flinkgpu.operator.BatchContext;

/** Aggregation on one backend. */
final class AggregateProgram extends BackendProgram<GroupedBatch> {

    private final AggregatePlan plan;

    AggregateProgram(BatchContext<?, ?> context, AggregatePlan plan) {
        super(
                context.backend(),
                context.fallback(),
                context.options().memoryLimitBytes(),
                context.runtime());
        this.plan = plan;
    }

    @Override
    protected CompiledProgram<GroupedBatch> compile(Backend on) throws BackendException {
        return on.compile(plan);
    }

    @Override
    protected String defectOf(GroupedBatch result, ColumnBatch batch) {
        if (result.groups() > 0 && result.groups() <= batch.rows()) {
            return null;
        }
        return "a batch has at least one group and no more than rows: rows="
                + batch.rows()
                + ", groups="
                + result.groups();
    }

    @Override
    protected String remedyForOneRow() {
        return "raise memoryLimitBytes";
    }
}
