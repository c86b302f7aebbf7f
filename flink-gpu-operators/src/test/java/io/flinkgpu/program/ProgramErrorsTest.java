package io.flinkgpu.program;

import io.flinkgpu.api.Action;
import io.flinkgpu.api.Rule;
import io.flinkgpu.api.RuleSet;
import io.flinkgpu.api.expression.Condition;
import io.flinkgpu.api.expression.Expression;
import io.flinkgpu.api.expression.TextExpression;

import org.junit.jupiter.api.Test;

import static io.flinkgpu.api.expression.Expressions.col;
import static io.flinkgpu.api.expression.Expressions.concat;
import static io.flinkgpu.api.expression.Expressions.doubleCol;
import static io.flinkgpu.api.expression.Expressions.lit;
import static io.flinkgpu.api.expression.Expressions.longCol;
import static io.flinkgpu.api.expression.Expressions.when;
import static io.flinkgpu.program.ExampleColumns.compile;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Each error is one line that names the expression.
 *
 * <p>Covers: Program.
 */
class ProgramErrorsTest {

    private static final TextExpression NAME = col("name");

    private static void assertRefused(String expected, Expression expression) {
        assertThatThrownBy(() -> compile(NAME, expression))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(expected);
    }

    @Test
    void unknownColumn() {
        assertRefused(
                "there is no column 'nam': columns=[id, name, visibility, city, score, active],"
                        + " expression=CONCAT('Dear ', LEFT(nam, 1))",
                concat(lit("Dear "), col("nam").left(1)));
    }

    @Test
    void unknownColumnInABranchThatIsNeverTaken() {
        assertRefused(
                "there is no column 'x': columns=[id, name, visibility, city, score, active],"
                        + " expression=CASE WHEN TRUE THEN name ELSE x END",
                when(lit(true)).then(NAME).otherwise(col("x")));
    }

    @Test
    void columnOfAnotherType() {
        assertRefused(
                "column 'id' is LONG, not TEXT: name it with longCol(\"id\"):"
                        + " expression=UPPER(id)",
                col("id").upper());
        assertRefused(
                "column 'score' is DOUBLE, not LONG: name it with doubleCol(\"score\"):"
                        + " expression=score < 1",
                longCol("score").lessThan(1));
        assertRefused(
                "column 'name' is TEXT, not DOUBLE: name it with col(\"name\"): expression=name",
                doubleCol("name"));
    }

    @Test
    void rulesThatCannotBeCompiled() {
        assertRefused(
                "Redaction rule 'any': it can match the empty string; let it match at least"
                        + " one character. Regex: a*: expression=REDACT(name, RuleSet[any])",
                NAME.redact(RuleSet.of(Rule.of("any", "a*", Action.drop()))));
    }

    @Test
    void regexThatCannotBeCompiled() {
        assertRefused(
                "A regex to match: backreference \"\\1\" at index 3 is not supported: write the"
                        + " text out; a rule can use a validator. Regex: (a)\\1: expression=MATCHES(name, '(a)\\1')",
                NAME.matches("(a)\\1"));
    }

    @Test
    void textOfTooManyPieces() {
        TextExpression text = NAME;
        for (int i = 0; i < 64; i++) {
            text = concat(text, lit("-"), NAME);
        }
        TextExpression large = text;
        assertThatThrownBy(() -> compile(large))
                .hasMessageStartingWith(
                        "an expression is too large, its text has more pieces than maxPieces=64:"
                                + " compute parts of it in a transform before: expression=CONCAT(")
                .hasMessageEndingWith("...")
                .satisfies(error -> assertThat(error.getMessage()).hasSizeLessThan(600));
    }

    @Test
    void tooManyInstructions() {
        Condition condition = NAME.contains("0");
        for (int i = 1; i < 70; i++) {
            condition = condition.or(NAME.contains("" + i));
        }
        Condition large = condition;
        assertThatThrownBy(() -> compile(NAME.upper(), large))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(
                        "an expression is too large, one pass has at most instructions=128:"
                                + " compute parts of it in a transform before:"
                                + " expression=CONTAINS(name, '0') OR CONTAINS(name, '1') OR ");
    }
}
