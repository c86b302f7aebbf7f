package io.flinkgpu.backend.plan;

import io.flinkgpu.api.expression.ColumnType;
import io.flinkgpu.program.Pass;

import java.io.Serializable;
import java.util.List;

/**
 * Passes that a backend runs one behind the other. Columns between them stay where the backend works.
 * Texts that are written have the separators of the batch, behind null rows too, which have no bytes
 * besides. Columns are VarChar, BigInt, Float8 or Bit vectors.
 *
 * @param types the columns of a batch
 * @param passes each appends its outputs to the columns
 * @param results the numbers of the columns that are wanted, outputs of these passes, each once
 */
public record PassPlan(List<ColumnType> types, List<Pass> passes, List<Integer> results)
        implements Serializable {

    private static final long serialVersionUID = 1L;

    public PassPlan {
        types = List.copyOf(types);
        passes = List.copyOf(passes);
        results = List.copyOf(results);
    }
}
