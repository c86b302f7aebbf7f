package io.flinkgpu.backend.plan;

import io.flinkgpu.api.ColumnType;
import io.flinkgpu.backend.Plan;
import io.flinkgpu.backend.ResidentPlan;
import io.flinkgpu.backend.SampleBatch;
import io.flinkgpu.column.ColumnBatch;

import org.apache.flink.annotation.Internal;

import java.util.List;

/** Looks texts up in a table: the result is a column of their numbers, null where there is none. */
@Internal
public record LookupPlan(TablePlan table) implements Plan<TransformedBatch> {

    private static final long serialVersionUID = 1L;

    @Override
    public String name() {
        return "Lookup";
    }

    @Override
    public List<ColumnType> input() {
        return List.of(ColumnType.TEXT);
    }

    @Override
    public List<ResidentPlan> residents() {
        return List.of(table);
    }

    @Override
    public SampleBatch.Maker sample() {
        return Samples.columns(input());
    }

    @Override
    public String defectOf(TransformedBatch result, ColumnBatch batch) {
        return Plan.defectOfRows(result.columns().rows(), batch);
    }

    @Override
    public String remedyForOneRow() {
        return "raise memoryLimitBytes";
    }
}
