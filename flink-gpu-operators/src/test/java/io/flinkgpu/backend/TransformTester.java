package io.flinkgpu.backend;

import io.flinkgpu.api.ColumnType;
import io.flinkgpu.api.expression.Expression;
import io.flinkgpu.backend.plan.TransformPlan;
import io.flinkgpu.backend.plan.TransformedBatch;
import io.flinkgpu.backend.steps.Steps;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.program.Program;
import io.flinkgpu.testkit.ExpressionCase;
import io.flinkgpu.testkit.ExpressionFuzz;
import io.flinkgpu.testkit.RandomRows;
import io.flinkgpu.testkit.TransformInput;
import io.flinkgpu.testkit.Transformer;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;

/** Runs programs on a backend and compares its answers with the oracle's. */
abstract class TransformTester extends BackendTester {

    static final long SEED = Long.getLong("transform.seed", 20_261_121);

    /** Pairs of an expression and a row that are compared in random tests. */
    static final long PAIRS = Long.getLong("transform.pairs", 20_000);

    final Random random = new Random(SEED);

    /** As {@link #PAIRS}, where a backend is slow fewer. */
    protected long pairs() {
        return PAIRS;
    }

    /** Compares the answers for rows in one batch. */
    void check(TransformInput input, Expression... expressions) {
        check(this::transform, input, expressions);
    }

    static void check(Transformer transformer, TransformInput input, Expression... expressions) {
        check(ExpressionCase.of(input, expressions), transformer);
    }

    static void check(ExpressionCase made, Transformer transformer) {
        if (made.difference(transformer) != null) {
            ExpressionFuzz.fail("seed=" + SEED, made, transformer);
        }
    }

    /** Compares an answer that is there. */
    static void checkResult(
            TransformInput input, List<Expression> expressions, TransformedBatch result) {
        ExpressionCase made = new ExpressionCase(expressions, input, Transformer.Shape.PLAIN);
        String difference = made.difference((program, rows, shape) -> values(program, result));
        assertThat(difference).as("seed=" + SEED).isNull();
    }

    public List<List<Object>> transform(
            Program program, TransformInput input, Transformer.Shape shape) throws Exception {
        int rows = input.rows().size();
        try (CompiledProgram<TransformedBatch> compiled = compile(program);
                ColumnBatch batch =
                        input.batch(
                                backend.allocator(), program.columns(), shape.separatorBytes())) {
            if (shape.cutFrom() == 0) {
                return run(compiled, batch, program);
            }
            try (ColumnBatch slice = batch.slice(shape.cutFrom(), rows - 1 - shape.cutFrom())) {
                return run(compiled, slice, program);
            }
        }
    }

    CompiledProgram<TransformedBatch> compile(Program program) throws BackendException {
        return Steps.compile(
                backend,
                new TransformPlan(program),
                ExpressionCase.HASH_KEY,
                it -> Optional.empty());
    }

    List<List<Object>> run(
            CompiledProgram<TransformedBatch> compiled, Program program, TransformInput input)
            throws BackendException {
        try (ColumnBatch batch = input.batch(backend.allocator(), program.columns(), 0)) {
            return run(compiled, batch, program);
        }
    }

    private static List<List<Object>> run(
            CompiledProgram<TransformedBatch> compiled, ColumnBatch batch, Program program)
            throws BackendException {
        try (TransformedBatch result = compiled.submit(batch).await()) {
            return values(program, result);
        }
    }

    static List<List<Object>> values(Program program, TransformedBatch result) {
        List<List<Object>> values = new ArrayList<>();
        for (ColumnType type : program.resultTypes()) {
            values.add(TransformInput.values(result.columns(), values.size(), type));
        }
        return values;
    }

    TransformInput randomRows(int count) {
        return new RandomRows(random).rows(count);
    }

    /** Rows that have a text in the first column and null in all others. */
    static TransformInput texts(byte[]... texts) {
        List<Map<String, Object>> rows = new ArrayList<>();
        for (byte[] text : texts) {
            Map<String, Object> row = new LinkedHashMap<>();
            row.put("t0", text);
            rows.add(row);
        }
        return new TransformInput(RandomRows.COLUMNS, rows);
    }
}
