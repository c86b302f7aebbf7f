package io.flinkgpu.text.regex;

import io.flinkgpu.api.RuleException;
import io.flinkgpu.text.RuleCompiler;
import io.flinkgpu.text.TestRules;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * Covers: RuleException, Comments.
 */
public class RefusedRulesTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            quoteCharacter = '`',
            value = {
                "foo(?=bar)~lookahead \"(?=\" at index 3 is not supported: only one character class is, or the end",
                "foo(?!bar)~lookahead \"(?!\" at index 3 is not supported: only one character class is, or the end",
                "(?<=ab)b~lookbehind \"(?<=\" at index 0 is not supported: only one character class is",
                "(?<!ab)b~lookbehind \"(?<!\" at index 0 is not supported: only one character class is",
                "(?<!\u00e9)b~lookbehind \"(?<!\" at index 0 is not supported: the class has to hold all",
                "b(?=[a\u00e9])~lookahead \"(?=\" at index 1 is not supported: the class has to hold all",
                "b(?!$)~lookahead \"(?!\" at index 1 is not supported: only one character class is",
                "(?:b(?=c|$)|c)d~end of text that is not the last of its alternative \"$\" at index 9 is not",
                "(?>a|b)c~atomic group \"(?>\" at index 0 is not supported: write (?:...)",
                "(a)\\1~backreference \"\\1\" at index 3 is not supported: write the text out",
                "(?<x>a)\\k<x>~backreference \"\\k<x>\" at index 7 is not supported: write the text out",
                "\\Ga~end of the previous match \"\\G\" at index 0 is not supported: leave it out",
                "a\\R~line break \"\\R\" at index 1 is not supported: write (?:\\r\\n|[\\n-\\r\\x85",
                "a\\X~grapheme cluster \"\\X\" at index 1 is not supported: write . or a character class",
                "a\\b{g}~grapheme boundary \"\\b{g}\" at index 1 is not supported: use \\b",
                "a\\N{DIGIT ONE}~character name \"\\N{DIGIT ONE}\" at index 1 is not supported: write the code",
                "xa*+b~possessive quantifier \"*+\" at index 2 is not supported: write the greedy \"*\"",
                "a{1,2}+b~possessive quantifier \"{1,2}+\" at index 1 is not supported: write the greedy \"{1,2}\"",
                "a?+b~possessive quantifier \"?+\" at index 1 is not supported: write the greedy \"?\"",
                "b(?:a*)*~quantifier over a body that can be empty \"*\" at index 7 is not supported: let every",
                "b(?:|a)+~quantifier over a body that can be empty \"+\" at index 7 is not supported: let every",
                "b(?:\\b|c){2}~quantifier over a body that can be empty \"{2}\" at index 9 is not",
                "a{1}{2}~quantifier with nothing of its own to repeat \"{2}\" at index 4 is not supported: put",
                "a[b-dx&&]~character class \"[b-dx&&]\" at index 1 is not supported: write it in a simpler way",
                "a{0,10001}b~quantifier \"{0,10001}\" at index 1 is not supported: at most 10000 repeats",
                "a{10001}~quantifier \"{10001}\" at index 1 is not supported: at most 10000 repeats",
                "a{9999999,}~quantifier \"{9999999,}\" at index 1 is not supported: at most 10000 repeats",
                "(?m)^a~start of a line \"^\" at index 4 is not supported: write (?dm) for (?m)",
                "(?iu)a~flag \"u\" at index 3 is not supported: list the characters in a class",
                "(?U:a)~flag \"U\" at index 2 is not supported: list the characters in a class",
                "a$b~end of text that is not the last of its alternative \"$\" at index 1 is not supported: move",
                "(?:a\\Z|b)c~end of text that is not the last of its alternative \"\\Z\" at index 4 is not",
                "a^b~start of text that can never match \"^\" at index 1 is not supported: move it to the front",
                "a(?:x|\\Ab)~start of text that can never match \"\\A\" at index 6 is not supported: move it",
                "a\\zb~end of text that can never match \"\\z\" at index 1 is not supported: move it to the end",
                "\\Qa(?=b\\E(?=cd)~lookahead \"(?=\" at index 9 is not supported: only one",
                "a*~it can match the empty string; let it match at least one character",
                "^$~it can match the empty string; let it match at least one character",
                "a|\\b~it can match the empty string; let it match at least one character",
                "`a{,3}`~syntax error at index 2: Illegal repetition",
                "\\Q(\\E(a~syntax error: Unclosed group",
                "*a~syntax error at index 0: Dangling meta character '*'",
                "a**~syntax error at index 2: Dangling meta character '*'",
                "[b-a]~syntax error at index 3: Illegal character range",
                "(a~syntax error at index 2: Unclosed group",
                "\\y~syntax error at index 1: Illegal/unsupported escape sequence"
            })
    void eachIsNamedWithItsPlaceAndARemedy(String regex, String expected) {
        List<String> errors = errors("[a-z]+", regex);
        assertThat(errors).hasSize(1);
        assertThat(errors.get(0))
                .startsWith("Redaction rule 'rule2' (#2): " + expected)
                .endsWith(". Regex: " + regex)
                .doesNotContain("\n");
    }

    @Test
    void allErrorsOfAllRulesAreReportedInRuleOrder() {
        List<String> errors = errors("(?=ab)b(?!cd)", "ok", "x*", "d++(", "e++\\1");
        assertThat(errors).hasSize(6);
        assertThat(errors.get(0)).contains("'rule1' (#1)", "index 0");
        assertThat(errors.get(1)).contains("'rule1' (#1)", "index 7");
        assertThat(errors.get(2)).contains("'rule3' (#3)", "empty string");
        assertThat(errors.get(3)).contains("'rule4' (#4)", "syntax error");
        assertThat(errors.get(4)).contains("'rule5' (#5)", "possessive");
        assertThat(errors.get(5)).contains("'rule5' (#5)", "backreference");
    }

    @Test
    void aBackspaceIsTakenForAWordBoundaryThatLostItsBackslash() {
        assertThat(errors("\bfoo\b|\\x08\\Q\b\\E[\b]"))
                .satisfiesExactly(
                        first ->
                                assertThat(first)
                                        .contains(
                                                "backspace \"\\u0008\" at index 0 is not supported:"
                                                        + " write \\b for a word boundary"),
                        second -> assertThat(second).contains("at index 4"));
    }

    @Test
    void aMessageIsOneLineWhateverTheRegexHolds() {
        assertThat(errors("a\n\u2028\u0085(?=bc)").get(0))
                .endsWith("Regex: a\\u000a\\u2028\\u0085(?=bc)")
                .doesNotContain("\n", "\u2028", "\u0085");
        assertThat(errors("a".repeat(500) + "\\1").get(0)).endsWith("aaa... (502 chars)");
    }

    public static List<String> errors(String... regexes) {
        RuleException error =
                catchThrowableOfType(
                        RuleException.class, () -> RuleCompiler.compile(TestRules.of(regexes)));
        assertThat(error).isNotNull();
        return error.errors();
    }
}
