package io.flinkgpu.text.regex;

import io.flinkgpu.api.RuleException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * The tree of a regular expression. What it matches is compared with {@code java.util.regex} elsewhere;
 * each refused construct has its row in {@link RefusedRulesTest}.
 *
 * <p>Covers: RegexParser, Lookaround, Regex.
 */
class RegexParserTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = ' ',
            value = {
                "abc a.b.c",
                "a|b|cd (a|b|c.d)",
                "a|bc|de|f (a|b.c|d.e|f)",
                "a||b (a||b)",
                "(a|b)c (a|b).c",
                "(?:ab) a.b",
                "(?<name>ab)c a.b.c",
                "a* a{0,}",
                "a+b a{1,}.b",
                "a?? a{0,1}lazy",
                "a{2,3}? a{2,3}lazy",
                "a{4} a{4,4}",
                "(ab)+ a.b{1,}",
                "^a$ <BEGIN>.a.<DOLLAR>",
                "\\Aa\\z <BEGIN>.a.<END>",
                "\\ba\\B\\Z <WORD_BOUNDARY>.a.<NOT_WORD_BOUNDARY>.<DOLLAR>",
                "\\x41\\t\\. A.\t..",
            })
    void parses(String regex, String tree) {
        assertThat(shown(parse(regex))).isEqualTo(tree);
    }

    @Test
    void flagsEndWithTheirGroup() {
        assertThat(parse("(?:(?i)a)a"))
                .isEqualTo(
                        new Regex.Concat(
                                List.of(
                                        new Regex.Chars(letter('a').foldAscii()),
                                        new Regex.Chars(letter('a')))));
        assertThat(parse("(?s:.).(?s).(?-s)."))
                .isEqualTo(
                        new Regex.Concat(
                                List.of(
                                        new Regex.Chars(CodePointSet.ALL),
                                        new Regex.Chars(CodePointSet.DOT),
                                        new Regex.Chars(CodePointSet.ALL),
                                        new Regex.Chars(CodePointSet.DOT))));
    }

    @Test
    void aCodePointOfTwoCharsIsOne() {
        int smile = 0x1f600;
        assertThat(parse(Character.toString(smile) + "+"))
                .isEqualTo(
                        new Regex.Repeat(
                                new Regex.Chars(CodePointSet.range(smile, smile)),
                                1,
                                Regex.Repeat.UNBOUNDED,
                                true));
    }

    @Test
    void parsingGoesOnAfterWhatIsRefused() {
        assertThat(errorsOf("a(?=bb)c(?<=dd)e++\\G(x*)*"))
                .satisfiesExactly(
                        line -> assertThat(line).contains("\"(?=", "at index 1 "),
                        line -> assertThat(line).contains("\"(?<=", "at index 8 "),
                        line -> assertThat(line).contains("possessive quantifier", "greedy \"+\""),
                        line -> assertThat(line).contains("\"\\G\"", "at index 18 "),
                        line -> assertThat(line).contains("body that can be empty"));
    }

    @Test
    void theLongestRepeatIsTheQuantifiersLimit() {
        int most = QuantifierParser.MAX_REPEATS;
        assertThat(shown(parse("a{%d}".formatted(most)))).isEqualTo("a{%1$d,%1$d}".formatted(most));
        assertThat(errorsOf("a{%d}".formatted(most + 1)))
                .singleElement()
                .asString()
                .contains("at most " + most + " repeats");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ' ',
            value = {"abc 0", "(a)(b) 1", "((a)(b(c))) 3", "[a[b[c]]] 3", "([a]) 2", "\\([(] 1"})
    void nestingCountsGroupsAndClasses(String regex, int depth) {
        assertThat(RegexParser.nesting(PatternText.of(regex))).isEqualTo(depth);
    }

    @Test
    void nestingOfAnyDepthIsCounted() {
        String deep = "(".repeat(100_000) + "a" + ")".repeat(100_000);
        assertThat(RegexParser.nesting(PatternText.of(deep))).isEqualTo(100_000);
    }

    private static Regex parse(String regex) {
        RuleErrors errors = new RuleErrors();
        errors.about(problem -> problem);
        Regex parsed = parse(regex, errors);
        errors.throwIfAny();
        return parsed;
    }

    private static List<String> errorsOf(String regex) {
        return catchThrowableOfType(RuleException.class, () -> parse(regex)).errors();
    }

    private static Regex parse(String regex, RuleErrors errors) {
        assertThat(Pattern.compile(regex)).as("what the parser may be given").isNotNull();
        return new RegexParser(PatternText.of(regex), new UnicodeClasses(), errors).parse();
    }

    private static CodePointSet letter(char letter) {
        return CodePointSet.range(letter, letter);
    }

    /** The tree in one line: parts are separated by dots, options by bars. */
    private static String shown(Regex regex) {
        if (regex instanceof Regex.Chars chars) {
            return Character.toString(chars.set().low(0));
        }
        if (regex instanceof Regex.Look look) {
            return "<" + look.kind() + ">";
        }
        if (regex instanceof Regex.Group group) {
            return shown(group.body());
        }
        if (regex instanceof Regex.Repeat repeat) {
            boolean unbounded = repeat.max() == Regex.Repeat.UNBOUNDED;
            return "%s{%d,%s}%s"
                    .formatted(
                            shown(repeat.body()),
                            repeat.min(),
                            unbounded ? "" : repeat.max(),
                            repeat.greedy() ? "" : "lazy");
        }
        if (regex instanceof Regex.Concat concat) {
            return joined(concat.parts(), ".");
        }
        return "(" + joined(((Regex.Alternate) regex).options(), "|") + ")";
    }

    private static String joined(List<Regex> parts, String separator) {
        return parts.stream().map(RegexParserTest::shown).collect(Collectors.joining(separator));
    }
}
