package io.flinkgpu.oracle;

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

    private static final TextExpression T = col("t0");
    private static final TextExpression U = col("t1");
    private static final Condition P = booleanCol("b0");
    private static final Condition Q = booleanCol("b1");
    private static final int ALL = Integer.MAX_VALUE;

    /** The first two of three bytes of a Euro sign, and the third. */
    private static final String CUT = "\udce2\udc82";

    private static final String REST = "\udcac";

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

    public static List<Edge> all() {
        return Stream.of(
                        cuts(),
                        separators(),
                        parts(),
                        changes(),
                        changesOfLength(),
                        tests(),
                        ofTwoTexts(),
                        numbers(),
                        conditions(),
                        choices(),
                        joins(),
                        nested())
                .flatMap(edges -> edges)
                .toList();
    }

    private static Stream<Edge> cuts() {
        return Stream.of(
                of(T.left(1), "", ""),
                of(T.left(1), null, null),
                of(T.left(2), "a", "a"),
                of(T.left(2), "abc", "ab"),
                of(T.left(2), "😀€é", "😀€"),
                of(T.left(1), CUT + "a", "\udce2"),
                of(T.left(2), CUT + "a", CUT),
                of(T.left(1), "\udcff", "\udcff"),
                of(T.left(2), "\udced\udca0\udc80", "\udced\udca0"),
                of(T.left(1), "\udcc0\udc80", "\udcc0"),
                of(T.left(1), "\udcf4\udc90\udc80\udc80", "\udcf4"),
                of(T.left(1), "\udbff\udfff!", "\udbff\udfff"),
                of(T.left(ALL), "aé", "aé"),
                of(T.right(1), "", ""),
                of(T.right(1), null, null),
                of(T.right(2), "a", "a"),
                of(T.right(2), "é€😀", "€😀"),
                of(T.right(1), "é" + CUT, "\udc82"),
                of(T.right(2), "é" + CUT, CUT),
                of(T.right(3), "é" + CUT, "é" + CUT),
                of(T.right(1), "€\udcac", "\udcac"),
                of(T.right(2), "€\udcac", "€\udcac"),
                of(T.right(1), "\udcf0\udc9f\udc98", "\udc98"),
                of(T.right(1), "\udce2€", "€"),
                of(T.right(ALL), "aé", "aé"),
                of(T.substring(1), "é", "é"),
                of(T.substring(2), "é", ""),
                of(T.substring(3), "é", ""),
                of(T.substring(ALL), "é", ""),
                of(T.substring(ALL, ALL), "é", ""),
                of(T.substring(2, ALL), "é€", "€"),
                of(T.substring(2, 1), "é€😀", "€"),
                of(T.substring(2, 2), CUT + "€", "\udc82€"),
                of(T.substring(1, 1), "", ""),
                of(T.substring(2), null, null));
    }

    private static Stream<Edge> separators() {
        return Stream.of(
                of(T.before(" "), "Ada Lovelace", "Ada"),
                of(T.after(" "), "Ada Lovelace", "Lovelace"),
                of(T.before(" "), "Cher", "Cher"),
                of(T.after(" "), "Cher", "Cher"),
                of(T.before(" "), "", ""),
                of(T.after(" "), "", ""),
                of(T.before(" "), " ", ""),
                of(T.after(" "), " ", ""),
                of(T.before(" "), "A  B", "A"),
                of(T.after(" "), "A  B", " B"),
                of(T.before(" "), null, null),
                of(T.after(" "), null, null),
                of(T.before("aba"), "xababa", "x"),
                of(T.after("aba"), "xababa", "ba"),
                of(T.before("aab"), "aaab", "a"),
                of(T.after("aab"), "aaab", ""),
                of(T.before("abc"), "ab", "ab"),
                of(T.after("abc"), "abab", "abab"),
                of(T.before("é"), "\udcc3éa", "\udcc3"),
                of(T.after("é"), "\udcc3éa", "a"),
                of(T.before("€"), CUT + "€", CUT),
                of(T.before("€"), CUT, CUT),
                of(T.after("😀"), "a😀\udc80", "\udc80"),
                of(T.before("abcdefghi"), "abcdefghabcdefghi!", "abcdefgh"),
                of(T.after("abcdefghi"), "abcdefghabcdefghi!", "!"),
                of(T.before("\0"), "a\0b", "a"));
    }

    private static Stream<Edge> parts() {
        return Stream.of(
                of(T.splitPart(",", 1), "a,b,,c", "a"),
                of(T.splitPart(",", 2), "a,b,,c", "b"),
                of(T.splitPart(",", 3), "a,b,,c", ""),
                of(T.splitPart(",", 4), "a,b,,c", "c"),
                of(T.splitPart(",", 5), "a,b,,c", null),
                of(T.splitPart(",", ALL), "a,b,,c", null),
                of(T.splitPart(",", 1), "", ""),
                of(T.splitPart(",", 2), "", null),
                of(T.splitPart(",", 1), ",", ""),
                of(T.splitPart(",", 2), ",", ""),
                of(T.splitPart(",", 3), ",", null),
                of(T.splitPart(",", 1), null, null),
                of(T.splitPart("aa", 1), "aaaaa", ""),
                of(T.splitPart("aa", 3), "aaaaa", "a"),
                of(T.splitPart("aa", 4), "aaaaa", null),
                of(T.splitPart("é", 2), "\udcc3é\udca9éx", "\udca9"),
                of(T.splitPart(", ", 2), "a, ,b, c", ",b"));
    }

    private static Stream<Edge> changes() {
        return Stream.of(
                of(T.trim(), "", ""),
                of(T.trim(), null, null),
                of(T.trim(), " ", ""),
                of(T.trim(), "   ", ""),
                of(T.trim(), "  a b  ", "a b"),
                of(T.trim(), "\t a \n", "\t a \n"),
                of(T.trim(), "\u00a0a\u3000", "\u00a0a\u3000"),
                of(T.trim(), " \udc80 ", "\udc80"),
                of(T.trim(), " ".repeat(20) + "é" + " ".repeat(20), "é"),
                of(T.replace("a", "b"), "", ""),
                of(T.replace("a", "b"), null, null),
                of(T.replace("a", ""), "aaa", ""),
                of(T.replace("aa", "a"), "aaaaa", "aaa"),
                of(T.replace("a", "aa"), "aba", "aabaa"),
                of(T.replace("ab", "ba"), "aabb", "abab"),
                of(T.replace("é", "😀"), "\udcc3é\udca9", "\udcc3😀\udca9"),
                of(T.replace("abc", "x"), "ababcab", "abxab"),
                of(T.replace("x", ""), CUT + "x" + REST, "€"),
                of(T.replace("x", "$1\\"), "x", "$1\\"));
    }

    private static Stream<Edge> changesOfLength() {
        return Stream.of(
                of(T.upper(), "", ""),
                of(T.upper(), null, null),
                of(T.upper(), "aZ1-é", "AZ1-É"),
                of(T.upper(), "straße ŉ ﬀ", "STRAßE ŉ ﬀ"),
                of(T.upper(), "ıſ", "IS"),
                of(T.upper(), "\u0250\u2c65", "\u2c6f\u023a"),
                of(T.upper(), "ǆǅ", "ǄǄ"),
                of(T.upper(), "\ud801\udc28", "\ud801\udc00"),
                of(T.upper(), "a\udcc3a" + CUT, "A\udcc3A" + CUT),
                of(T.upper(), "a\0{`@z", "A\0{`@Z"),
                of(T.lower(), "", ""),
                of(T.lower(), null, null),
                of(T.lower(), "aZ1-É[@`{", "az1-é[@`{"),
                of(T.lower(), "İK\u2126", "ik\u03c9"),
                of(T.lower(), "ΑΣ", "ασ"),
                of(T.lower(), "\u023a\u1e9e", "\u2c65ß"),
                of(T.lower(), "\u13a0", "\uab70"),
                of(T.lower(), "\ud801\udc00", "\ud801\udc28"),
                of(T.lower(), "\udcedA\udcff", "\udceda\udcff"));
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

    private static Stream<Edge> joins() {
        TextExpression both = concat(T, U);
        return Stream.of(
                two(both, "a", "b", "ab"),
                two(both, "", "", ""),
                two(both, null, "b", null),
                two(both, "a", null, null),
                two(both, CUT, REST, "€"),
                two(both.length(), CUT, REST, 1L),
                two(both.left(1), CUT, REST + "x", "€"),
                two(both.right(1), CUT, REST, "€"),
                two(both.substring(2), CUT, REST + "x", "x"),
                two(both.contains("€"), CUT, REST, true),
                two(both.before("€"), "a" + CUT, REST + "x", "a"),
                two(both.upper(), "\udcc3", "\udca9", "É"),
                two(both.replace("€", "E"), CUT, REST, "E"),
                two(both.matches("€"), CUT, REST, true),
                two(both.equalTo("€"), CUT, REST, true),
                two(both.trim(), " ", " a", "a"),
                two(both.splitPart("ab", 2), "xa", "by", "y"),
                two(concat(T, T, T), "é", null, "ééé"),
                two(concat(T), "é", null, "é"));
    }

    private static Stream<Edge> nested() {
        return Stream.of(
                of(T.upper().left(1), "ßx", "ß"),
                of(T.upper().right(2), "aé\udcff", "É\udcff"),
                of(T.lower().trim(), " İ ", "i"),
                of(T.upper().lower(), "ſ", "s"),
                of(T.lower().upper(), "İ", "I"),
                of(T.upper().upper(), "ǆ", "Ǆ"),
                of(T.upper().before("É"), "aé", "A"),
                of(T.upper().equalTo("É"), "é", true),
                of(T.upper().length(), "é€", 2L),
                of(T.upper().contains("S"), "ſ", true),
                of(T.replace("a", "").length(), "aba", 1L),
                of(T.replace("a", "b").replace("bb", "c"), "aab", "cb"),
                of(T.replace("a", "b").upper(), "aé", "BÉ"),
                of(T.upper().replace("É", "e"), "é", "e"),
                of(T.replace("a", "b").left(1), "ax", "b"),
                of(T.trim().left(1), "  ab", "a"),
                of(T.left(3).trim().isEmpty(), "   a", true),
                of(T.after(" ").before(" "), "a b c", "b"),
                of(T.before(" ").after("é").right(1), "aéb c", "b"),
                two(concat(T.upper(), U.upper()), CUT, REST, "€"),
                two(concat(T.upper(), U), "\udcc3", "\udca9", "é"),
                two(concat(T.upper(), U).upper(), "\udcc3", "\udca9", "É"),
                two(concat(T.replace("x", ""), U), "x" + CUT, REST, "€"),
                two(concat(T.replace("x", ""), U).length(), "x" + CUT, REST, 1L),
                two(T.hashHmac().length(), "", null, 64L),
                two(T.hashHmac(), null, null, null),
                two(U.hashHmac().equalTo(T.hashHmac()), "a", "a", true));
    }

    private static Edge of(Expression expression, String text, Object expected) {
        return of(expression, "t0", text, expected);
    }

    private static Edge of(Expression expression, String column, Object value, Object expected) {
        return new Edge(expression, TransformInput.row(column, value), bytes(expected));
    }

    private static Edge two(Expression expression, String t0, String t1, Object expected) {
        return new Edge(expression, TransformInput.row("t0", t0, "t1", t1), bytes(expected));
    }

    private static Edge logic(Expression expression, Boolean b0, Boolean b1, Object expected) {
        return new Edge(expression, TransformInput.row("b0", b0, "b1", b1), expected);
    }

    private static Edge choice(
            Expression expression, Boolean b0, String t0, String t1, Object expected) {
        return new Edge(
                expression, TransformInput.row("b0", b0, "t0", t0, "t1", t1), bytes(expected));
    }

    private static Object bytes(Object expected) {
        return expected instanceof String text ? SurrogateText.encode(text) : expected;
    }
}
