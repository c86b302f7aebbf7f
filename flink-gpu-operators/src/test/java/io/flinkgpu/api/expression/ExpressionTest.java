package io.flinkgpu.api.expression;

import io.flinkgpu.api.Action;
import io.flinkgpu.api.Rule;
import io.flinkgpu.api.RuleSet;

import org.junit.jupiter.api.Test;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;

import static io.flinkgpu.api.expression.Expressions.booleanCol;
import static io.flinkgpu.api.expression.Expressions.coalesce;
import static io.flinkgpu.api.expression.Expressions.col;
import static io.flinkgpu.api.expression.Expressions.concat;
import static io.flinkgpu.api.expression.Expressions.doubleCol;
import static io.flinkgpu.api.expression.Expressions.lit;
import static io.flinkgpu.api.expression.Expressions.longCol;
import static io.flinkgpu.api.expression.Expressions.when;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Covers: Expression, ExpressionText, Expressions, TextExpression.
 */
class ExpressionTest {

    private static final TextExpression NAME = col("name");
    private static final RuleSet RULES = RuleSet.of(Rule.of("digits", "[0-9]+", Action.label("#")));

    @Test
    void isWrittenLikeSql() {
        assertThat(Redactions.nameByVisibility())
                .hasToString(
                        "CASE WHEN visibility = 'public' THEN CONCAT(LEFT(AFTER(name, ' '), 1), ' ',"
                                + " BEFORE(name, ' ')) ELSE 'X X' END");
        assertThat(NAME.substring(2)).hasToString("SUBSTRING(name, 2)");
        assertThat(NAME.substring(2, 3).right(1)).hasToString("RIGHT(SUBSTRING(name, 2, 3), 1)");
        assertThat(NAME.splitPart("-", 2).trim()).hasToString("TRIM(SPLIT_PART(name, '-', 2))");
        assertThat(NAME.upper().lower()).hasToString("LOWER(UPPER(name))");
        assertThat(NAME.replace("it's", "\n")).hasToString("REPLACE(name, 'it''s', '\\u000a')");
        assertThat(NAME.redact(RULES).hashHmac())
                .hasToString("HASH_HMAC(REDACT(name, RuleSet[digits]))");
        assertThat(coalesce(NAME, col("first name"), lit((String) null)).as("who"))
                .hasToString("COALESCE(name, `first name`, NULL) AS who");
    }

    @Test
    void conditionsAndNumbersAreWrittenLikeSql() {
        Condition condition = NAME.contains("a").or(NAME.isNull().not());
        assertThat(condition).hasToString("CONTAINS(name, 'a') OR (NOT (name IS NULL))");
        assertThat(NAME.startsWith("a").and(NAME.endsWith(col("b"))))
                .hasToString("STARTSWITH(name, 'a') AND ENDSWITH(name, b)");
        Condition b = booleanCol("b");
        assertThat(b.and(b).and(b.or(b).or(b))).hasToString("b AND b AND (b OR b OR b)");
        assertThat(NAME.length().greaterThan(3)).hasToString("3 < CHAR_LENGTH(name)");
        assertThat(doubleCol("x").lessThan(3)).hasToString("x < 3.0");
        assertThat(NAME.matches("a'+")).hasToString("MATCHES(name, 'a''+')");
        assertThat(coalesce(b, lit(false))).hasToString("COALESCE(b, FALSE)");
    }

    @Test
    void equalsWhatComputesTheSameWhateverItsName() {
        assertThat(NAME.left(1).as("a")).isEqualTo(col("name").left(1).as("b"));
        assertThat(NAME.left(1).as("a")).hasSameHashCodeAs(col("name").left(1));
        assertThat(NAME.left(1)).isNotEqualTo(NAME.left(2)).isNotEqualTo(NAME.right(1));
        assertThat(NAME).isNotEqualTo(longCol("name")).isNotEqualTo(lit("name"));
        assertThat(lit(1L)).isNotEqualTo(lit(1.0));
        assertThat(lit((String) null)).isEqualTo(lit((String) null)).isNotEqualTo(lit(""));
        assertThat(NAME.redact(RULES)).isEqualTo(NAME.redact(RuleSet.of(RULES.rules())));
    }

    @Test
    void keepsItsName() {
        assertThat(NAME.name()).isEmpty();
        assertThat(NAME.left(1).as("initial").name()).contains("initial");
        assertThat(NAME.as("n").left(1).name()).isEmpty();
        assertThat(longCol("id").as("key").name()).contains("key");
        assertThat(booleanCol("b").as("flag").name()).contains("flag");
    }

    @Test
    void travelsInTheJobGraph() throws Exception {
        TextExpression expression =
                when(NAME.matches("[a-z]+").and(longCol("id").lessThan(3)))
                        .then(NAME.redact(RULES))
                        .otherwise(lit((String) null))
                        .as("x");
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(expression);
        }
        try (ObjectInputStream in =
                new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            TextExpression copy = (TextExpression) in.readObject();
            assertThat(copy).isEqualTo(expression).hasSameHashCodeAs(expression);
            assertThat(copy.name()).contains("x");
            assertThat(copy).hasToString(expression.toString());
        }
    }

    @Test
    void positionsCountFromOne() {
        assertRefused(
                "left counts from 1: count=0, of expression=TRIM(name)", () -> NAME.trim().left(0));
        assertRefused("right counts from 1: count=-1, of expression=name", () -> NAME.right(-1));
        assertRefused(
                "substring counts from 1: from=0, of expression=name", () -> NAME.substring(0));
        assertRefused(
                "substring counts from 1: count=0, of expression=name", () -> NAME.substring(1, 0));
        assertRefused(
                "splitPart counts from 1: number=0, of expression=name",
                () -> NAME.splitPart(",", 0));
    }

    @Test
    void constantsThatCannotWork() {
        assertRefused(
                "before looks for at least one character: separator='', in expression=name",
                () -> NAME.before(""));
        assertRefused(
                "replace looks for at least one character: what='', in expression=name",
                () -> NAME.replace("", "x"));
        assertRefused(
                "a constant must be valid Unicode: value has an unpaired surrogate at index 1",
                () -> NAME.contains("a\ud800"));
        assertRefused(
                "a constant must be valid Unicode: with has an unpaired surrogate at index 0",
                () -> NAME.replace("x", "\udc00\ud800"));
        assertRefused("a column needs a name: name=' '", () -> col(" "));
        assertRefused(
                "a result needs a name: name='', expression=TRIM(name)", () -> NAME.trim().as(""));
    }

    @Test
    void numbersOfTwoTypesDoNotCompare() {
        String remedy = "; use longCol(..) and lit(1), or doubleCol(..) and lit(1.0), for both";
        assertRefused(
                "numbers must be of one type: id is LONG, score is DOUBLE" + remedy,
                () -> longCol("id").lessThan(doubleCol("score")));
        assertRefused(
                "numbers must be of one type: 1 is LONG, 2.0 is DOUBLE" + remedy,
                () -> when(lit(true)).then(lit(1)).otherwise(lit(2.0)));
        assertRefused(
                "numbers must be of one type: score is DOUBLE, id is LONG" + remedy,
                () -> coalesce(doubleCol("score"), longCol("id")));
    }

    @Test
    void expressionsThatGrowWithoutBound() {
        assertRefused(
                "an expression is too large: depth=201, at most 200; compute parts of it in a"
                        + " transform before",
                () -> {
                    TextExpression text = NAME;
                    for (int i = 0; i < 1000; i++) {
                        text = text.trim();
                    }
                });
        assertRefused(
                "an expression is too large: operations=16383, at most 10000; compute parts of it"
                        + " in a transform before",
                () -> {
                    TextExpression text = NAME;
                    for (int i = 0; i < 100; i++) {
                        text = concat(text, text);
                    }
                });
    }

    @Test
    void errorsShowTheFirstPartOfALongExpression() {
        TextExpression text = lit("x".repeat(1 << 20));
        for (int i = 0; i < 12; i++) {
            text = concat(text, text);
        }
        assertThat(text.shown()).hasSize(403).startsWith("CONCAT(").endsWith("x...");
        assertThat(NAME.trim().as("n").shown()).isEqualTo("TRIM(name) AS n");
    }

    @Test
    void operandsAndArgumentsCannotBeChanged() {
        assertThatThrownBy(() -> NAME.left(1).operands().clear())
                .isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> NAME.left(1).arguments().clear())
                .isInstanceOf(UnsupportedOperationException.class);
    }

    private static void assertRefused(String message, Runnable built) {
        assertThatThrownBy(built::run)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }
}
