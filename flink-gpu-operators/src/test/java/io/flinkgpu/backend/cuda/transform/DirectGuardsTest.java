package io.flinkgpu.backend.cuda.transform;

import io.flinkgpu.api.ColumnType;
import io.flinkgpu.api.expression.Redactions;
import io.flinkgpu.program.Instruction;
import io.flinkgpu.program.OpCode;
import io.flinkgpu.program.Pass;
import io.flinkgpu.program.PassOutput;
import io.flinkgpu.program.ProgramCompiler;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A step that only makes a guard is dropped; one that something else reads is not.
 *
 * <p>Covers: DirectGuards.
 */
class DirectGuardsTest {

    private final Pass pass = names();
    private final Instruction step =
            pass.instructions().stream()
                    .filter(instruction -> instruction.code() == OpCode.IS_TRUE)
                    .findFirst()
                    .orElseThrow();

    @Test
    void theConditionItselfIsTheGuard() {
        Pass direct = DirectGuards.of(pass);

        assertThat(direct.instructions())
                .hasSize(pass.instructions().size() - 1)
                .doesNotContain(step);
        assertThat(direct.outputs().get(0).parts())
                .hasSameSizeAs(pass.outputs().get(0).parts())
                .allMatch(part -> part.guard() == step.x());
    }

    @Test
    void whatAnOutputNeedsIsKept() {
        List<PassOutput> outputs = new ArrayList<>(pass.outputs());
        outputs.add(new PassOutput(ColumnType.BOOLEAN, List.of(), step.to()));

        assertKept(with(pass.instructions(), outputs));
    }

    @Test
    void whatAnotherStepNeedsIsKept() {
        List<Instruction> steps = new ArrayList<>(pass.instructions());
        steps.add(new Instruction(OpCode.NOT, 9, -1, null, null, step.to(), 0, 0, 0, 0));

        assertKept(with(steps, pass.outputs()));
    }

    private void assertKept(Pass read) {
        Pass direct = DirectGuards.of(read);

        assertThat(direct.instructions()).isEqualTo(read.instructions());
        assertThat(direct.outputs()).isEqualTo(read.outputs());
    }

    private Pass with(List<Instruction> steps, List<PassOutput> outputs) {
        return new Pass(steps, pass.literals(), pass.automata(), 3, 0, 10, outputs);
    }

    private static Pass names() {
        Map<String, ColumnType> columns = new LinkedHashMap<>();
        columns.put("name", ColumnType.TEXT);
        columns.put("visibility", ColumnType.TEXT);
        return (Pass)
                ProgramCompiler.compile(columns, List.of(Redactions.nameByVisibility()))
                        .steps()
                        .get(0);
    }
}
