package io.flinkgpu.testkit;

import io.flinkgpu.api.Action;
import io.flinkgpu.api.AllowList;
import io.flinkgpu.api.Rule;
import io.flinkgpu.api.RuleSet;
import io.flinkgpu.api.Validator;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Covers: OracleRedactor.
 */
class OracleRedactorTest {

    private static final byte[] KEY = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

    /** Regexes of rules 0, 1, ... joined by " ;; ", input, output; %ff is a byte. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '!',
            ignoreLeadingAndTrailingWhitespace = false,
            textBlock =
                    """
            a!bab!b<0>b
            a!''!''
            a!b!b
            a!aaa!<0><0><0>
            aa!aaa!<0>a
            a ;; ab!ab!<0>b
            ab ;; a!abac!<0><1>c
            b ;; abc!abc!<1>
            a|ab!ab!<0>b
            ab|a!ab!<0>
            a(?:|b)c!acabc!<0><0>
            a(?:|b)!ab!<0>b
            a(?:b|)!ab!<0>
            a+?!aa!<0><0>
            a+?b!aab!<0>
            a{2,3}?!aaaaa!<0><0>a
            a{2,3}!aaaaa!<0><0>
            a??b!aab!a<0>
            (?i)a ;; b!AaBb!<0><0>B<1>
            a(?i)b|c ;; d!aBCDd!<0><0>D<1>
            (?<n>a) ;; (?<n>b)!ab!<0><1>
            (a)(b) ;; (c)!abc!<0><1>
            \\ba!a ba a!<0> ba <0>
            a\\b!ab a!ab <0>
            \\Ba!aa a!a<0> a
            \\ba!%c3%a9a!%c3%a9<0>
            \\ba!%ffa%80a!%ff<0>%80<0>
            a\\B!a%ffaa!a%ff<0>a
            a\\b!a%cc%81!<0>%cc%81
            \\Qa\\b\\E!a\\bab!<0>ab
            \\\\b!\\ba!<0>a
            \\cb!%22b!<0>b
            ^a!aa!<0>a
            ^a!%ffa!%ffa
            a$!aa!a<0>
            a$!aa%ff!aa%ff
            a\\z!a%ff!a%ff
            (?s).!%ff%c3%a9%c3!<0><0><0>
            (?s).+!a%ffb!<0>
            [^x]!%80x%c3%a9!<0>x<0>
            \\W+!a%c3%a9%e2%82%ffb!a<0>b
            \\S!%ed%a0%80a!<0><0><0><0>
            \\D!%c0%80%f5%80%80%80!<0><0><0><0><0><0>
            .!%f0%9f%98%80!<0>
            .!%f4%8f%bf%bf%f4%90%80%80!<0><0><0><0><0>
            .!%e0%9f%bf%e0%a0%80!<0><0><0><0>
            .!%f0%8f%bf%bf!<0><0><0><0>
            \\x{fffd}!%ff%ef%bf%bd!<0><0>
            password=\\S+!password=geh%e9im123secret x!<0> x
            .!%ee%80%80%ef%bf%bf!<0><0>
            .!%c2%85%e2%80%a8%e2%80%a9!%c2%85%e2%80%a8%e2%80%a9
            \\xe9!%e9%c3%a9!%e9<0>
            ab!a%ffb!a%ffb
            (?i)\\x{212a}!Kk%e2%84%aa!Kk<0>
            (?i)k!Kk%e2%84%aa!<0><0>%e2%84%aa
            (?i)é!%c3%a9%c3%89!<0>%c3%89
            \\B.!K%f0%9f%98%80!K%f0%9f%98%80
            [a-c&&[^b]]!abc!<0>b<0>
            \\p{Lu}!a%c3%89A!a<0><0>
            """)
    void redacts(String regexes, String input, String output) {
        String[] each = regexes.split(" ;; ");
        Rule[] rules = new Rule[each.length];
        for (int i = 0; i < each.length; i++) {
            rules[i] = Rule.of("r" + i, each[i], Action.label("<" + i + ">"));
        }
        assertThat(redact(RuleSet.of(rules), percentBytes(input))).isEqualTo(percentBytes(output));
    }

    @ParameterizedTest
    @ValueSource(strings = {"\n", "\r\n", "\r", "\u0085", "\u2028", "\u2029"})
    void dollarMatchesBeforeTheLastLineTerminator(String terminator) {
        RuleSet rules = RuleSet.of(Rule.of("r", "a$", Action.label("-")));

        assertThat(utf8(redact(rules, utf8Bytes("aa" + terminator)))).isEqualTo("a-" + terminator);
        assertThat(utf8(redact(rules, utf8Bytes("a" + terminator + "b"))))
                .isEqualTo("a" + terminator + "b");
        assertThat(redact(rules, bytes("a\n\u00ff"))).isEqualTo(bytes("a\n\u00ff"));
    }

    @Test
    void dollarDoesNotMatchBetweenCrAndLf() {
        RuleSet rules = RuleSet.of(Rule.of("r", "\r$", Action.label("-")));

        assertThat(utf8(redact(rules, utf8Bytes("\r\n")))).isEqualTo("\r\n");
        assertThat(utf8(redact(rules, utf8Bytes("\r\r")))).isEqualTo("--");
        assertThat(utf8(redact(rules, utf8Bytes("\r\r\n")))).isEqualTo("-\r\n");
    }

    @Test
    void aRejectedMatchIsSearchedAgainFromItsNextCodePoint() {
        Rule card = Rule.of("card", "\\d{12,16}", Action.label("C")).withValidator(Validator.LUHN);
        Rule other = Rule.of("other", "😀?9", Action.label("N"));
        RuleSet rules = RuleSet.of(card, other);

        assertThat(utf8(redact(rules, utf8Bytes("14111111111111111")))).isEqualTo("1C");
        assertThat(utf8(redact(rules, utf8Bytes("234567890123")))).isEqualTo("2345678N0123");
        Rule emoji = Rule.of("e", "😀\\d", Action.drop()).withValidator(Validator.LUHN);
        Rule digit = Rule.of("digit", "9", Action.label("N"));
        assertThat(utf8(redact(RuleSet.of(emoji, digit), utf8Bytes("😀9")))).isEqualTo("😀N");
    }

    @Test
    void laterRulesAreTriedWhereAMatchIsRefused() {
        Rule card = Rule.of("card", "\\d{12,16}", Action.label("C")).withValidator(Validator.LUHN);
        Rule ssn = Rule.of("ssn", "\\d+x?", Action.label("S")).withValidator(Validator.US_SSN);
        Rule last = Rule.of("last", "\\d{4}", Action.label("L"));
        RuleSet rules = RuleSet.of(card, ssn, last);

        assertThat(utf8(redact(rules, utf8Bytes("4111111111111112")))).isEqualTo("LLLL");
        assertThat(utf8(redact(rules, utf8Bytes("4111111111111111")))).isEqualTo("C");
        assertThat(utf8(redact(rules, utf8Bytes("123456789 123456789x")))).isEqualTo("S LL9x");
    }

    @Test
    void otherRulesAreTriedAtAndWithinAnAllowedMatch() {
        Rule rule =
                Rule.of("r", "a+b?", Action.label("-"))
                        .withAllowList(new AllowList(List.of("ab"), List.of("aaa")));

        // Of what it kept, the rule itself keeps the rest as well: aaaab has aab in it.
        assertThat(utf8(redact(RuleSet.of(rule), utf8Bytes("ab aaaab aab"))))
                .isEqualTo("ab aaaab -");
        RuleSet within = RuleSet.of(rule, Rule.of("b", "b", Action.label("+")));
        assertThat(utf8(redact(within, utf8Bytes("ab abb aaaaab aab"))))
                .isEqualTo("a+ a++ aaaaa+ -");
        RuleSet atStart = RuleSet.of(rule, Rule.of("ab", "a{4}b.", Action.label("+")));
        assertThat(utf8(redact(atStart, utf8Bytes("ab aaaab; aaaaab")))).isEqualTo("ab + aaaaab");
        RuleSet before = RuleSet.of(Rule.of("ab", "ab.", Action.label("+")), rule);
        assertThat(utf8(redact(before, utf8Bytes("aaaab;")))).isEqualTo("aaa+");
    }

    @Test
    void aMatchThatReachesBeyondAnAllowedOneOfItsRuleIsReplaced() {
        Rule mail =
                Rule.of("mail", "\\w+@\\w+(?:\\.\\w+)?", Action.label("M"))
                        .withAllowList(AllowList.ofValues("a@b.co"));

        assertThat(utf8(redact(RuleSet.of(mail), utf8Bytes("a@b.co@x.y")))).isEqualTo("a@b.M");
    }

    @Test
    void masksCodePoints() {
        assertThat(masked(Action.maskKeepLast(2), "é😀a中")).isEqualTo("**a中");
        assertThat(masked(Action.maskKeepFirst(1), "é😀a")).isEqualTo("é**");
        assertThat(masked(Action.maskKeepLast(3), "é😀a")).isEqualTo("***");
        assertThat(masked(new Action.Mask(1, 1, '#'), "abc")).isEqualTo("a#c");
        assertThat(masked(new Action.Mask(1, 1, '#'), "ab")).isEqualTo("##");
        assertThat(masked(Action.maskKeepLast(0), "ab")).isEqualTo("**");
    }

    @Test
    void hashesWithTheKey() {
        // Checked with: printf ab | openssl dgst -sha256 -hmac 0123456789abcdef
        assertThat(masked(Action.hash("<", 16, ">"), "ab")).isEqualTo("<092080d44ec56248>");
    }

    @Test
    void labelsAreLiteral() {
        assertThat(masked(Action.label("$1\\$0"), "ab")).isEqualTo("$1\\$0");
        assertThat(masked(Action.drop(), "ab")).isEmpty();
    }

    @Test
    void countsRedactedMatchesAndMarksRows() {
        Rule a = Rule.of("a", "a+", Action.label("a")).withAllowList(AllowList.ofValues("aa"));
        RuleSet rules = RuleSet.of(a, Rule.of("b", "b", Action.drop()));
        byte[][] rows = {bytes("abab"), bytes("aa"), bytes(""), bytes("a"), bytes("c")};

        Redactor.Redacted redacted = new OracleRedactor().redact(rules, new byte[0], rows);

        assertThat(redacted.matchesPerRule()).containsExactly(3, 2);
        assertThat(redacted.changed()).containsExactly(true, false, false, true, false);
    }

    @Test
    void invalidRegexesAndGraphemeBoundsThrow() {
        assertThatThrownBy(() -> OracleRedactor.compile("[\\b]"))
                .isInstanceOf(PatternSyntaxException.class);
        assertThatThrownBy(() -> OracleRedactor.compile("a\\b{g}"))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private static String masked(Action action, String match) {
        return utf8(redact(RuleSet.of(Rule.of("r", "(?s).+", action)), utf8Bytes(match)));
    }

    private static byte[] redact(RuleSet rules, byte[] row) {
        return new OracleRedactor().redact(rules, KEY, new byte[][] {row}).rows()[0];
    }

    private static byte[] bytes(String latin1) {
        return latin1.getBytes(StandardCharsets.ISO_8859_1);
    }

    private static byte[] percentBytes(String text) {
        return bytes(
                Pattern.compile("%([0-9a-f]{2})")
                        .matcher(text)
                        .replaceAll(m -> "" + (char) Integer.parseInt(m.group(1), 16)));
    }

    private static byte[] utf8Bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String utf8(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
