package io.flinkgpu.backend.cpu.row;

import io.flinkgpu.backend.Backend;
import io.flinkgpu.backend.CompiledProgram;
import io.flinkgpu.backend.RowProgram;
import io.flinkgpu.backend.TransformedTextContract;
import io.flinkgpu.backend.cpu.CpuBackend;
import io.flinkgpu.backend.plan.TransformPlan;
import io.flinkgpu.backend.plan.TransformedBatch;
import io.flinkgpu.program.Program;
import io.flinkgpu.testkit.TestRequests;
import io.flinkgpu.testkit.TransformInput;
import io.flinkgpu.testkit.Transformer;

import org.junit.jupiter.api.AfterEach;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What expressions mean where records are computed one at a time, as Strings. Rows that need columns go
 * there, as in the operator; so do those with bytes that no String has.
 *
 * <p>Covers: RowProgram, CharWriter, StringOps, StringPass, Utf16.
 */
class CpuRowContractTest extends TransformedTextContract {

    private long rows;
    private long inColumns;

    @Override
    protected Backend open() {
        return CpuBackend.open(TestRequests.of(256L << 20));
    }

    /** More than half of random rows have bytes that no String has. */
    @AfterEach
    void manyRowsNeedNoColumns() {
        assertThat(inColumns).as("in columns, of %d rows", rows).isLessThanOrEqualTo(rows * 3 / 4);
    }

    @Override
    public List<List<Object>> transform(
            Program program, TransformInput input, Transformer.Shape shape) throws Exception {
        Optional<RowProgram> rowProgram;
        try (CompiledProgram<TransformedBatch> compiled =
                backend.compile(new TransformPlan(program))) {
            rowProgram = compiled.rows();
        }
        if (rowProgram.isEmpty()) {
            return super.transform(program, input, shape);
        }
        RowProgramRunner runner = new RowProgramRunner(rowProgram.get(), program, input.columns());
        List<Map<String, Object>> all = input.rows();
        if (shape.cutFrom() > 0) {
            all = all.subList(shape.cutFrom(), all.size() - 1);
        }
        List<List<Object>> answers = new ArrayList<>();
        List<Map<String, Object>> rest = new ArrayList<>();
        for (Map<String, Object> row : all) {
            List<Object> answer = runner.runBytes(row);
            answers.add(answer);
            if (answer == null) {
                rest.add(row);
            }
        }
        rows += all.size();
        inColumns += rest.size();
        List<List<Object>> ofRest =
                super.transform(
                        program,
                        new TransformInput(input.columns(), rest),
                        Transformer.Shape.PLAIN);
        List<List<Object>> results = new ArrayList<>();
        for (int result = 0; result < program.results().size(); result++) {
            List<Object> values = new ArrayList<>();
            int next = 0;
            for (List<Object> answer : answers) {
                values.add(answer == null ? ofRest.get(result).get(next++) : answer.get(result));
            }
            results.add(values);
        }
        return results;
    }
}
