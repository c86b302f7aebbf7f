package io.flinkgpu.program;

import io.flinkgpu.api.expression.Expression;
import io.flinkgpu.api.expression.Operation;
import io.flinkgpu.testkit.RandomExpressions;
import io.flinkgpu.testkit.RandomRows;

import org.junit.jupiter.api.Test;

import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

import static io.flinkgpu.api.expression.Expressions.col;
import static io.flinkgpu.program.ExampleColumns.compile;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * From expressions to texts, and of {@link ValueLowering} to numbers and conditions.
 *
 * <p>Covers: TextLowering, Operation, Graph, PassWriter, Texts, ValueLowering.
 */
class TextLoweringTest {

    @Test
    void eachOperationIsLowered() {
        Set<Operation> lowered = EnumSet.noneOf(Operation.class);
        for (long seed = 0; seed < 2_000; seed++) {
            List<Expression> trees = new RandomExpressions(new Random(seed)).several(3, 3);
            ProgramCompiler.compile(RandomRows.COLUMNS, trees);
            trees.forEach(tree -> collect(tree, lowered));
        }
        assertThat(lowered).containsExactlyInAnyOrder(Operation.values());
    }

    private static void collect(Expression tree, Set<Operation> into) {
        into.add(tree.operation());
        tree.operands().forEach(operand -> collect(operand, into));
    }

    @Test
    void argumentsBecomeTheFieldsOfTheInstructionInOrder() {
        assertThat(compile(col("name").substring(2, 3)).explain()).contains("= substring name 2 3");
        assertThat(compile(col("name").splitPart(",", 4)).explain())
                .contains("= split_part name ',' 4");
        assertThat(compile(col("name").matches("a+")).explain()).contains("= matches name 'a+'");
    }

    @Test
    void whatIgnoresCaseReadsTheTextBeforeItsCaseIsChanged() {
        assertThat(compile(col("name").upper().trim()).explain())
                .contains("= trim name")
                .contains("upper(t0)");
        assertThat(compile(col("name").lower().length()).explain()).contains("= length name");
        assertThat(compile(col("name").lower().contains("a")).explain())
                .contains("= lower(name)")
                .contains("= contains #1 'a'");
    }
}
