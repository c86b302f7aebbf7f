package io.flinkgpu.backend;

import io.flinkgpu.api.Action;
import io.flinkgpu.api.Rule;
import io.flinkgpu.api.RuleSet;
import io.flinkgpu.api.expression.Condition;
import io.flinkgpu.api.expression.Expression;
import io.flinkgpu.api.expression.TextExpression;
import io.flinkgpu.program.Program;
import io.flinkgpu.program.ProgramCompiler;
import io.flinkgpu.testkit.ExpressionEdges;
import io.flinkgpu.testkit.ExpressionFuzz;
import io.flinkgpu.testkit.RandomRows;
import io.flinkgpu.testkit.TransformInput;
import io.flinkgpu.testkit.Transformer;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import static io.flinkgpu.api.expression.Expressions.booleanCol;
import static io.flinkgpu.api.expression.Expressions.coalesce;
import static io.flinkgpu.api.expression.Expressions.col;
import static io.flinkgpu.api.expression.Expressions.concat;
import static io.flinkgpu.api.expression.Expressions.doubleCol;
import static io.flinkgpu.api.expression.Expressions.lit;
import static io.flinkgpu.api.expression.Expressions.longCol;
import static io.flinkgpu.api.expression.Expressions.when;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * What expressions mean on every backend.
 *
 * <p>Covers: Program.
 */
public abstract class TransformedTextContract extends TransformTester {

    static final TextExpression T = col("t0");
    static final TextExpression U = col("t1");
    static final Condition P = booleanCol("b0");

    static final TextExpression NAME =
            when(col("t1").equalTo("public"))
                    .then(concat(T.after(" ").left(1), lit(" "), T.before(" ")))
                    .otherwise(lit("X X"));

    static List<ExpressionEdges.Table> tables() {
        return ExpressionEdges.tables();
    }

    @ParameterizedTest
    @MethodSource("tables")
    void answersAsWritten(ExpressionEdges.Table table) throws Exception {
        for (ExpressionEdges.Edge edge : table.edges()) {
            Program program =
                    ProgramCompiler.compile(RandomRows.COLUMNS, List.of(edge.expression()));
            List<Map<String, Object>> rows = List.of(Map.of(), edge.row(), Map.of(), edge.row());
            TransformInput input = new TransformInput(RandomRows.COLUMNS, rows);
            List<Object> values = transform(program, input, Transformer.Shape.PLAIN).get(0);
            assertThat(values.get(1)).as(edge.toString()).isEqualTo(edge.expected());
            assertThat(values.get(3)).as(edge.toString()).isEqualTo(edge.expected());
        }
    }

    static Stream<Expression> operations() {
        return Stream.of(
                T,
                T.left(1),
                T.left(3),
                T.right(1),
                T.right(3),
                T.substring(2),
                T.substring(2, 2),
                T.before(" "),
                T.before("aba"),
                T.before("€"),
                T.after(" "),
                T.after("aa"),
                T.after("😀"),
                T.splitPart(" ", 2),
                T.splitPart("aa", 3),
                T.splitPart("é", 2),
                T.trim(),
                T.upper(),
                T.lower(),
                T.replace("a", ""),
                T.replace("aa", "€€€"),
                T.replace("é", "b"),
                T.isEmpty(),
                T.isNull(),
                T.length(),
                T.contains("aa"),
                T.contains(U),
                T.startsWith("a"),
                T.startsWith(U),
                T.endsWith("é"),
                T.endsWith(U),
                T.equalTo("public"),
                T.equalTo(U),
                T.matches("(?s)[a-c].*"),
                T.redact(RuleSet.of(Rule.of("a", "a+", Action.maskKeepFirst(1)))),
                T.hashHmac(),
                concat(T, U),
                concat(T, lit("-"), U, lit("é")),
                concat(T, U).length(),
                coalesce(T, U, lit("none")),
                when(P).then(T).otherwise(U),
                when(P).then(concat(T, U)).otherwise(T.upper()),
                P,
                P.and(booleanCol("b1")),
                P.or(booleanCol("b1")),
                P.not(),
                longCol("n0"),
                longCol("n0").lessThan(longCol("n1")),
                longCol("n0").equalTo(longCol("n1")),
                doubleCol("d0"),
                doubleCol("d0").lessThan(doubleCol("d1")),
                doubleCol("d0").equalTo(doubleCol("d1")),
                coalesce(doubleCol("d0"), doubleCol("d1")),
                when(P).then(longCol("n0")).otherwise(T.length()));
    }

    @ParameterizedTest
    @MethodSource("operations")
    void oneOperationOnRandomRows(Expression operation) {
        check(randomRows((int) (pairs() / 20)), operation);
    }

    @Test
    void allOperationsInProgramsOfMany() {
        List<Expression> all = operations().toList();
        for (int from = 0; from < all.size(); from += 8) {
            List<Expression> some = all.subList(from, Math.min(all.size(), from + 8));
            check(randomRows(200), some.toArray(Expression[]::new));
        }
    }

    @Test
    void randomExpressions() {
        ExpressionFuzz fuzz = new ExpressionFuzz(SEED, this::transform).run(pairs());
        assertThat(fuzz.refusedShare()).as(fuzz.toString()).isLessThan(0.05);
    }

    @Test
    void programsOfSeveralPasses() {
        ExpressionFuzz fuzz =
                ExpressionFuzz.ofLargePrograms(SEED, this::transform).run(pairs() / 4);
        assertThat(fuzz.refusedShare()).as(fuzz.toString()).isLessThan(0.05);
    }

    @Test
    void multiByteTextCutEverywhere() {
        byte[] text = utf8("é€😀a İ");
        List<byte[]> cuts = new ArrayList<>();
        for (int from = 0; from <= text.length; from++) {
            for (int to = from; to <= text.length; to++) {
                cuts.add(Arrays.copyOfRange(text, from, to));
            }
        }
        TransformInput input = texts(cuts.toArray(byte[][]::new));
        for (int count = 1; count <= 7; count++) {
            check(input, T.left(count), T.right(count), T.substring(count), T.substring(2, count));
        }
        check(input, T.length(), T.upper(), T.lower(), concat(T, T).length(), T.matches(".*"));
        check(input, T.before("€"), T.after("😀"), T.replace("é", ""), T.splitPart("a", 1));
    }
}
