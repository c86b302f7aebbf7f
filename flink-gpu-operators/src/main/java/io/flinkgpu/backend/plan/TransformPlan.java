package io.flinkgpu.backend.plan;

import io.flinkgpu.api.ColumnType;
import io.flinkgpu.backend.Plan;
import io.flinkgpu.backend.SampleBatch;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.program.Program;

import org.apache.flink.annotation.Internal;

import java.util.List;

/**
 * Expressions over the columns of a batch.
 *
 * @param program steps of any kind
 */
@Internal
public record TransformPlan(Program program) implements Plan<TransformedBatch> {

    private static final long serialVersionUID = 1L;

    @Override
    public String name() {
        return "Computing expressions on columns";
    }

    @Override
    public List<ColumnType> input() {
        return program.types();
    }

    @Override
    public boolean needsHashKey() {
        return program.needsHashKey();
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
        return "raise memoryLimitBytes, or shorten the texts or what replaces them";
    }
}
