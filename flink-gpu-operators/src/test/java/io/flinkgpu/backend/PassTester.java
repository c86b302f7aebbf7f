package io.flinkgpu.backend;

import io.flinkgpu.api.ColumnType;
import io.flinkgpu.backend.plan.PassPlan;
import io.flinkgpu.backend.plan.TransformedBatch;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.program.Pass;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;

import static org.assertj.core.api.Assertions.assertThat;

/** Runs passes over columns of values. */
public abstract class PassTester extends OpenBackend {

    public static final long SEED = Long.getLong("test.seed", 20261121L);

    /** Runs a pass over a batch for both kinds of separator; returns its outputs. */
    List<List<Object>> run(Pass pass, List<ColumnType> types, List<? extends List<?>> columns)
            throws Exception {
        List<List<Object>> results = run(0, pass, types, columns);
        assertThat(run(1, pass, types, columns)).isEqualTo(results);
        return results;
    }

    private List<List<Object>> run(
            int separatorBytes, Pass pass, List<ColumnType> types, List<? extends List<?>> columns)
            throws Exception {
        List<Integer> numbers = new ArrayList<>();
        pass.outputs().forEach(output -> numbers.add(types.size() + numbers.size()));
        List<List<Object>> results = new ArrayList<>();
        try (CompiledProgram<TransformedBatch> program =
                        backend.compile(new PassPlan(types, List.of(pass), numbers));
                ColumnBatch batch =
                        TestColumns.batch(backend.allocator(), separatorBytes, types, columns);
                TransformedBatch result = program.submit(batch).await()) {
            assertThat(result.columns().rows()).isEqualTo(batch.rows());
            assertThat(result.columns().separatorBytes()).isEqualTo(separatorBytes);
            for (int i = 0; i < numbers.size(); i++) {
                results.add(TestColumns.values(result.columns(), i));
            }
        }
        return results;
    }

    /** Some values, one in eight null. */
    public static <T> List<T> random(Random random, int rows, Supplier<T> value) {
        List<T> values = new ArrayList<>();
        for (int i = 0; i < rows; i++) {
            values.add(random.nextInt(8) == 0 ? null : value.get());
        }
        return values;
    }
}
