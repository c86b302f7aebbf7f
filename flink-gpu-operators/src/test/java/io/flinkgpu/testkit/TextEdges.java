package io.flinkgpu.testkit;

import io.flinkgpu.api.expression.TextExpression;
import io.flinkgpu.testkit.ExpressionEdges.Edge;

import java.util.stream.Stream;

import static io.flinkgpu.api.expression.Expressions.concat;
import static io.flinkgpu.testkit.ExpressionEdges.CUT;
import static io.flinkgpu.testkit.ExpressionEdges.REST;
import static io.flinkgpu.testkit.ExpressionEdges.T;
import static io.flinkgpu.testkit.ExpressionEdges.U;
import static io.flinkgpu.testkit.ExpressionEdges.of;
import static io.flinkgpu.testkit.ExpressionEdges.two;

/** Edges of operations whose result is a text, or that are done to such a result. */
final class TextEdges {

    private static final int ALL = Integer.MAX_VALUE;

    private TextEdges() {}

    static Stream<Edge> cuts() {
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

    static Stream<Edge> separators() {
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

    static Stream<Edge> parts() {
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

    static Stream<Edge> changes() {
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

    static Stream<Edge> changesOfLength() {
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

    static Stream<Edge> joins() {
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

    static Stream<Edge> nested() {
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
}
