package io.flinkgpu.backend.plan;

import io.flinkgpu.api.ColumnType;
import io.flinkgpu.backend.Plan;
import io.flinkgpu.backend.SampleBatch;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.program.Pass;

import org.apache.flink.annotation.Internal;

import java.util.List;

/**
 * Passes that a backend runs one after the other. Columns between them stay where the backend works.
 * Texts that are written have the separators of the batch, behind null rows too, which have no bytes
 * besides. Columns are VarChar, BigInt, Float8 or Bit vectors.
 *
 * @param types the columns of a batch
 * @param passes each appends its outputs to the columns
 * @param results the numbers of the columns that are wanted, outputs of these passes, each once
 */
@Internal
public record PassPlan(List<ColumnType> types, List<Pass> passes, List<Integer> results)
        implements Plan<TransformedBatch> {

    private static final long serialVersionUID = 1L;

    public PassPlan {
        types = List.copyOf(types);
        passes = List.copyOf(passes);
        results = List.copyOf(results);
    }

    @Override
    public String name() {
        return "Computing expressions on columns";
    }

    @Override
    public List<ColumnType> input() {
        return types;
    }

    @Override
    public SampleBatch.Maker sample() {
        return Samples.columns(types);
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
