package io.flinkgpu.testkit;

import io.flinkgpu.api.expression.Condition;
import io.flinkgpu.api.expression.Expression;
import io.flinkgpu.api.expression.TextExpression;

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

/**
 * Rows at the edge of what each operation means, with answers written by hand. In texts, {@code U+DC00 +
 * b} is a byte that is not valid UTF-8.
 */
public final class ExpressionEdges {

    static final TextExpression T = col("t0");
    static final TextExpression U = col("t1");
    static final Condition P = booleanCol("b0");
    static final Condition Q = booleanCol("b1");

    /** The first two of three bytes of a Euro sign, and the third. */
    static final String CUT = "\udce2\udc82";

    static final String REST = "\udcac";

    private ExpressionEdges() {}

    /**
     * One row.
     *
     * @param expected as in {@link TransformInput}
     */
    public record Edge(Expression expression, Map<String, Object> row, Object expected) {

        @Override
        public String toString() {
            StringBuilder shown = new StringBuilder(ExpressionSource.of(expression));
            row.forEach((name, v) -> shown.append(", " + name + "=" + shown(v)));
            return shown.append(" -> ").append(shown(expected)).toString();
        }

        private static String shown(Object value) {
            return value instanceof byte[] bytes
                    ? Fuzz.javaLiteral(SurrogateText.decode(bytes))
                    : String.valueOf(value);
        }
    }

    /** Some edges, all of one kind. */
    public record Table(String name, List<Edge> edges) {

        @Override
        public String toString() {
            return name;
        }
    }

    public static List<Table> tables() {
        return List.of(
                new Table("left, right, substring", TextEdges.cuts().toList()),
                new Table("before, after", TextEdges.separators().toList()),
                new Table("splitPart", TextEdges.parts().toList()),
                new Table("trim, replace", TextEdges.changes().toList()),
                new Table("upper, lower", TextEdges.changesOfLength().toList()),
                new Table("tests of a text", tests().toList()),
                new Table("tests of two texts", ofTwoTexts().toList()),
                new Table("numbers", numbers().toList()),
                new Table("conditions", conditions().toList()),
                new Table("when, coalesce, isNull, lit", choices().toList()),
                new Table("concat", TextEdges.joins().toList()),
                new Table("operations of operations", TextEdges.nested().toList()));
    }

    private static Stream<Edge> tests() {
        return Stream.of(
                of(T.isEmpty(), "", true),
                of(T.isEmpty(), " ", false),
                of(T.isEmpty(), null, null),
                of(T.isNull(), "", false),
                of(T.isNull(), null, true),
                of(T.length(), "", 0L),
                of(T.length(), null, null),
                of(T.length(), "aé€😀", 4L),
                of(T.length(), CUT + "€" + REST, 4L),
                of(T.length(), "\udcf0\udc9f\udc98", 3L),
                of(T.length(), "\udced\udcb0\udc80", 3L),
                of(T.length(), "\ud7ff\ue000\uffff\ud800\udc00\udbff\udfff", 5L),
                of(T.contains(""), "", true),
                of(T.contains("a"), "", false),
                of(T.contains("a"), null, null),
                of(T.contains("aab"), "aaab", true),
                of(T.contains("€"), CUT, false),
                of(T.contains("abcdefghi"), "abcdefgh", false),
                of(T.startsWith(""), "", true),
                of(T.startsWith("é"), "é", true),
                of(T.startsWith("é"), "\udcc3", false),
                of(T.startsWith("ab"), "a", false),
                of(T.startsWith("a"), null, null),
                of(T.endsWith(""), "", true),
                of(T.endsWith("é"), "eé", true),
                of(T.endsWith("é"), "\udca9", false),
                of(T.endsWith("ab"), "b", false),
                of(T.endsWith("a"), null, null),
                of(T.equalTo("public"), "public", true),
                of(T.equalTo("public"), "nonpublic", false),
                of(T.equalTo("public"), "public ", false),
                of(T.equalTo("public"), "Public", false),
                of(T.equalTo("public"), null, null),
                of(T.equalTo(""), "", true),
                of(T.equalTo("é"), "e\u0301", false),
                of(T.matches("a*"), "", true),
                of(T.matches("a*"), "aab", false),
                of(T.matches("a|ab"), "ab", true),
                of(T.matches("a??b?"), "ab", true),
                of(T.matches("(?s).*"), "a\n", true),
                of(T.matches(".*"), "a\n", false),
                of(T.matches("(?s).*"), "a\udcff", false),
                of(T.matches("."), "😀", true),
                of(T.matches("a"), null, null),
                of(T.matches("\\bab\\b"), "ab", true),
                of(T.matches("é\\b.*"), "éa", true));
    }

    private static Stream<Edge> ofTwoTexts() {
        return Stream.of(
                two(T.contains(U), "abc", "bc", true),
                two(T.contains(U), "abc", "", true),
                two(T.contains(U), "", "", true),
                two(T.contains(U), "abc", "abcd", false),
                two(T.contains(U), "abc", null, null),
                two(T.contains(U), null, "a", null),
                two(T.contains(U), "a€", REST, true),
                two(T.startsWith(U), "€", CUT, true),
                two(T.endsWith(U), "€", REST, true),
                two(T.startsWith(U), "abc", "abc", true),
                two(T.startsWith(U), "ab", "abc", false),
                two(T.startsWith(U), null, "", null),
                two(T.endsWith(U), "abc", "abc", true),
                two(T.endsWith(U), "bc", "abc", false),
                two(T.endsWith(U), "", null, null),
                two(T.equalTo(U), "a\0b", "a\0b", true),
                two(T.equalTo(U), "a\0b", "a\0c", false),
                two(T.equalTo(U), "", "", true),
                two(T.equalTo(U), null, null, null),
                two(T.equalTo(U), "abcdefgh1", "abcdefgh2", false),
                two(T.equalTo(T), null, "", null));
    }

    private static Stream<Edge> numbers() {
        return Stream.of(
                of(longCol("n0").equalTo(-1), "n0", -1L, true),
                of(longCol("n0").equalTo(-1), "n0", null, null),
                of(longCol("n0").lessThan(0), "n0", Long.MIN_VALUE, true),
                of(longCol("n0").greaterThan(0), "n0", Long.MIN_VALUE, false),
                of(longCol("n0").lessThan(longCol("n0")), "n0", Long.MAX_VALUE, false),
                of(longCol("n0").equalTo(1L << 53), "n0", (1L << 53) + 1, false),
                of(longCol("n0").isNull(), "n0", null, true),
                of(longCol("n0").isNull(), "n0", 0L, false),
                of(longCol("n0"), "n0", Long.MIN_VALUE, Long.MIN_VALUE),
                of(coalesce(longCol("n0"), lit(7L)), "n0", null, 7L),
                of(coalesce(longCol("n0"), longCol("n1")), "n0", null, null),
                of(doubleCol("d0"), "d0", -0.0, -0.0),
                of(doubleCol("d0"), "d0", null, null),
                of(doubleCol("d0").equalTo(0), "d0", -0.0, true),
                of(doubleCol("d0").equalTo(doubleCol("d0")), "d0", Double.NaN, false),
                of(doubleCol("d0").lessThan(0), "d0", Double.NaN, false),
                of(doubleCol("d0").greaterThan(0), "d0", Double.NaN, false),
                of(doubleCol("d0").lessThan(0), "d0", -0.0, false),
                of(doubleCol("d0").greaterThan(0), "d0", Double.MIN_VALUE, true),
                of(doubleCol("d0").lessThan(0), "d0", Double.NEGATIVE_INFINITY, true),
                of(doubleCol("d0").lessThan(lit(1.5)), "d0", null, null));
    }

    private static Stream<Edge> conditions() {
        return Stream.of(
                logic(P.and(Q), true, true, true),
                logic(P.and(Q), true, false, false),
                logic(P.and(Q), null, false, false),
                logic(P.and(Q), false, null, false),
                logic(P.and(Q), null, true, null),
                logic(P.and(Q), null, null, null),
                logic(P.or(Q), false, false, false),
                logic(P.or(Q), null, true, true),
                logic(P.or(Q), true, null, true),
                logic(P.or(Q), false, null, null),
                logic(P.or(Q), null, null, null),
                logic(P.not(), true, null, false),
                logic(P.not(), null, true, null),
                logic(P.isNull(), null, true, true),
                logic(P.isNull(), false, null, false),
                logic(P.and(Q).isNull(), null, true, true),
                logic(coalesce(P, Q), null, true, true),
                logic(coalesce(P, Q), false, true, false),
                logic(coalesce(P, Q), null, null, null),
                logic(when(P).then(Q).otherwise(lit(true)), null, false, true),
                logic(when(P).then(Q).otherwise(lit(true)), true, null, null),
                logic(P, true, null, true),
                logic(P, null, true, null));
    }

    private static Stream<Edge> choices() {
        Expression length = when(P).then(T.length()).otherwise(lit(-1L));
        return Stream.of(
                choice(when(P).then(T).otherwise(U), true, "a", null, "a"),
                choice(when(P).then(T).otherwise(U), true, null, "b", null),
                choice(when(P).then(T).otherwise(U), false, null, "b", "b"),
                choice(when(P).then(T).otherwise(U), null, "a", "b", "b"),
                choice(when(P).then(concat(T, U)).otherwise(U), true, "a", "b", "ab"),
                choice(when(P).then(concat(T, U)).otherwise(U), true, null, "b", null),
                choice(when(P).then(concat(T, U)).otherwise(U), false, null, "b", "b"),
                choice(when(P).then(concat(T, U)).otherwise(U), false, "a", null, null),
                choice(when(P).then(T.upper()).otherwise(lit("x")), null, null, "b", "x"),
                choice(length, null, "é", null, -1L),
                choice(length, true, null, null, null),
                two(coalesce(T, U), null, null, null),
                two(coalesce(T, U), null, "b", "b"),
                two(coalesce(T, U), "", "b", ""),
                two(coalesce(concat(T, U), T), "a", null, "a"),
                two(coalesce(concat(T, U), U, lit("-")), "a", null, "-"),
                two(coalesce(T.upper(), U.lower()), null, "B", "b"),
                two(concat(T, U).isNull(), "a", null, true),
                two(concat(T, U).isNull(), "", "", false),
                choice(when(P).then(concat(T, U)).otherwise(U).isNull(), false, null, "", false),
                of(lit((String) null), "a", null),
                of(concat(T, lit((String) null)), "a", null),
                of(coalesce(lit((String) null), T), "a", "a"),
                of(lit("é"), null, "é"),
                of(lit(true), null, true),
                of(lit(-0.0), null, -0.0),
                of(lit(Long.MIN_VALUE), null, Long.MIN_VALUE));
    }

    static Edge of(Expression expression, String text, Object expected) {
        return of(expression, "t0", text, expected);
    }

    static Edge of(Expression expression, String column, Object value, Object expected) {
        return new Edge(expression, TransformInput.row(column, value), bytes(expected));
    }

    static Edge two(Expression expression, String t0, String t1, Object expected) {
        return new Edge(expression, TransformInput.row("t0", t0, "t1", t1), bytes(expected));
    }

    static Edge logic(Expression expression, Boolean b0, Boolean b1, Object expected) {
        return new Edge(expression, TransformInput.row("b0", b0, "b1", b1), expected);
    }

    static Edge choice(Expression expression, Boolean b0, String t0, String t1, Object expected) {
        return new Edge(
                expression, TransformInput.row("b0", b0, "t0", t0, "t1", t1), bytes(expected));
    }

    private static Object bytes(Object expected) {
        return expected instanceof String text ? SurrogateText.encode(text) : expected;
    }
}
