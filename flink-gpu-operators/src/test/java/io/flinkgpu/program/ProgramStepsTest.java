package io.flinkgpu.program;

import io.flinkgpu.api.Action;
import io.flinkgpu.api.Rule;
import io.flinkgpu.api.RuleSet;
import io.flinkgpu.api.expression.Expression;
import io.flinkgpu.api.expression.TextExpression;

import org.junit.jupiter.api.Test;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.stream.IntStream;

import static io.flinkgpu.api.expression.Expressions.booleanCol;
import static io.flinkgpu.api.expression.Expressions.col;
import static io.flinkgpu.api.expression.Expressions.concat;
import static io.flinkgpu.api.expression.Expressions.lit;
import static io.flinkgpu.api.expression.Expressions.when;
import static io.flinkgpu.program.ExampleColumns.assertProgram;
import static io.flinkgpu.program.ExampleColumns.compile;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * What becomes a column in between, and in which step.
 *
 * <p>Covers: Program, PassText.
 */
class ProgramStepsTest {

    private static final TextExpression NAME = col("name");
    private static final TextExpression CITY = col("city");
    private static final RuleSet RULES = RuleSet.of(Rule.of("digits", "[0-9]+", Action.label("#")));

    @Test
    void textOfPiecesIsReadAsAColumn() {
        assertProgram(
                """
                read name TEXT, city TEXT
                pass
                  #2 TEXT = name, city
                pass
                  n0 = length #2
                  #3 LONG = n0
                results #3, #2
                """,
                concat(NAME, CITY).length(),
                concat(NAME, CITY));
    }

    @Test
    void changedTextIsReadAsAColumn() {
        assertProgram(
                """
                read name TEXT, city TEXT
                pass
                  #2 TEXT = replace(name, 'a', 'b')
                pass
                  c0 = contains #2 'bb'
                  c1 = is_true c0
                  #3 TEXT = upper(#2) if c1, city if not c1
                results #3
                """,
                when(NAME.replace("a", "b").contains("bb"))
                        .then(NAME.replace("a", "b").upper())
                        .otherwise(CITY));
    }

    /** Bytes at the edges of two pieces could make up one code point. */
    @Test
    void caseOfAdjacentPiecesIsChangedBehindAColumn() {
        assertProgram(
                """
                read name TEXT, city TEXT
                pass
                  #2 TEXT = name, city
                pass
                  #3 TEXT = upper(#2)
                results #3
                """,
                concat(NAME, CITY).upper());
    }

    @Test
    void cutsGoIntoTheBranchesOfAChoice() {
        assertProgram(
                """
                read name TEXT, city TEXT, active BOOLEAN
                pass
                  c0 = load_condition active
                  c1 = is_true c0
                  t0 = left name 2
                  t1 = left city 2
                  #3 TEXT = upper(t0) if c1, t1 if not c1
                results #3
                """,
                when(booleanCol("active")).then(NAME.upper()).otherwise(CITY).left(2));
    }

    @Test
    void redactionsAndHashesAreStepsBeforeThePassThatReadsThem() {
        assertProgram(
                """
                read name TEXT
                #1 TEXT = redact name RuleSet[digits]
                #2 TEXT = hash name
                #3 TEXT = hash #1
                pass
                  t0 = left #1 3
                  t1 = trim name
                  #4 TEXT = t0
                  #5 TEXT = t1
                #6 TEXT = redact #5 RuleSet[digits]
                pass
                  t0 = left #2 8
                  #7 TEXT = upper(#6), ' ', t0
                results #4, #2, #3, #7
                """,
                NAME.redact(RULES).left(3),
                NAME.hashHmac(),
                NAME.redact(RULES).hashHmac(),
                concat(NAME.trim().redact(RULES).upper(), lit(" "), NAME.hashHmac().left(8)));
    }

    @Test
    void manyResultsAreSeveralPassesSideBySide() {
        Expression[] results =
                IntStream.rangeClosed(1, 40).mapToObj(NAME::left).toArray(Expression[]::new);
        Program program = compile(results);
        assertThat(program.steps())
                .extracting(step -> ((Pass) step).outputs().size())
                .containsExactly(16, 16, 8);
        assertThat(program.results()).isEqualTo(IntStream.rangeClosed(1, 40).boxed().toList());
    }

    @Test
    void everyResultKeepsWithinTheLimitsOfAPass() {
        Expression[] results = new Expression[12];
        for (int i = 0; i < results.length; i++) {
            TextExpression result = NAME.splitPart("-", 1);
            for (int part = 2; part <= 8; part++) {
                result = concat(result, lit("+"), NAME.splitPart("-" + i, part));
            }
            results[i] = result;
        }
        Program program = compile(results);
        assertThat(program.steps().size()).isBetween(3, 6);
        for (Step step : program.steps()) {
            Pass pass = (Pass) step;
            assertThat(pass.textRegisters()).isLessThanOrEqualTo(Pass.MAX_TEXT_REGISTERS);
            assertThat(pass.outputs().stream().mapToInt(output -> output.parts().size()).sum())
                    .isLessThanOrEqualTo(Pass.MAX_PARTS);
        }
    }

    @Test
    void travelsInTheJobGraph() throws Exception {
        Program program =
                compile(NAME.redact(RULES).left(3), NAME.matches("a+"), NAME.upper().hashHmac());
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(program);
        }
        try (ObjectInputStream in =
                new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            assertThat(((Program) in.readObject()).explain()).isEqualTo(program.explain());
        }
    }
}
