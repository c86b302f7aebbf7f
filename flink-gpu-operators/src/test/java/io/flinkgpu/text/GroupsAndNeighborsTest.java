package io.flinkgpu.text;

import io.flinkgpu.api.Action;
import io.flinkgpu.api.AllowList;
import io.flinkgpu.api.Rule;
import io.flinkgpu.api.RuleException;
import io.flinkgpu.api.RuleSet;
import io.flinkgpu.api.Validator;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.charset.StandardCharsets;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * What a rule with a group or with a look at a neighbour replaces; the oracle has the random cases.
 *
 * <p>Covers: Groups.
 */
class GroupsAndNeighborsTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            quoteCharacter = '`',
            value = {
                "token=(\\S+)~1~a token=abc d~a token=[X] d",
                "(?<key>\\w+)=(?<value_1>\\w+)~value_1~a=b c=d~a=[X] c=[X]",
                "(?P<v>[0-9]+)px~v~10px 5pt~[X]px 5pt",
                "a(b)?c~1~abc ac~a[X]c [X]",
                "a(b*)c~1~abbc ac~a[X]c [X]",
                "(?:(\\d);)+~1~1;2;3;~1;2;[X];",
                "(a|ab)(c|bcd)~2~abcd~a[X]",
                "k=(?:\\d+|'(\\w+)'|\"(\\w+)\")~*~k='ab' k=\"ab\" k=12~k='[X]' k=\"[X]\" [X]",
                "a(b(c)?)(d)~*~abcd abd~a[X]d a[X]d",
                "(?:(a)|(b))+;~*~ab; ba;~[X]b; b[X];",
                "(a)?b(c)~*~abc bc~[X]bc [X]",
                "x(a*|b)(?:=(c$)|-(d))~*~x-d xa=c~[X] x[X]=c",
                "(?<![A-Z])AK[0-9]{2}(?![0-9])~``~AK12 XAK34 AK567 -AK89~[X] XAK34 AK567 -[X]",
                "(?<=[=:])\\w+(?=;|$)~``~a=b;c:d e=f~a=[X];c:d e=[X]",
                "(?<!^|,)b~``~b,b ab~b,b a[X]",
                "(?=[ab])\\w+~``~cab abc~c[X] [X]",
                "=(b$|c)~1~a=b~a=[X]",
                "=(b\\w?(?=;|$))~1~a=b;a=bc~a=[X];a=[X]",
                "[[:upper:]]{2}[[:^digit:]]~``~ABc AB1~[X] AB1",
            })
    void replaces(String regex, String group, String text, String expected) {
        Rule rule = Rule.of("r", regex, Action.label("[X]")).withGroup(group);
        assertThat(redact(RuleSet.of(rule), text)).isEqualTo(expected);
    }

    @Test
    void linesAndComments() {
        RuleSet lines = RuleSet.of(Rule.of("r", "(?dm)^b$", Action.label("[X]")));
        assertThat(redact(lines, "a\nb\rb")).isEqualTo("a\nb\rb");
        assertThat(redact(lines, "a\nb\nc")).isEqualTo("a\n[X]\nc");
        RuleSet spaced = RuleSet.of(Rule.of("r", "(?x) a b # (\n c", Action.label("[X]")));
        assertThat(redact(spaced, "abc a b c")).isEqualTo("[X] a b c");
    }

    @Test
    void theValidatorAndTheAllowListJudgeTheGroup() {
        Rule rule =
                Rule.of("r", "key=(\\w+)", Action.maskKeepLast(2))
                        .withGroup("1")
                        .withValidator(Validator.entropy(2))
                        .withAllowList(new AllowList(List.of("abcdefgh"), List.of()));

        assertThat(redact(RuleSet.of(rule), "key=aaaaaaaa key=abcdefgh key=hgfedcba"))
                .isEqualTo("key=aaaaaaaa key=abcdefgh key=******ba");
    }

    @Test
    void whatAGroupDropsIsScannedAgain() {
        Rule drop = Rule.of("d", "<(#+)>", Action.drop()).withGroup("1");
        Rule label = Rule.of("l", "<>x", Action.label("!"));

        assertThat(redact(RuleSet.of(drop, label), "a<##>x <>y")).isEqualTo("a! <>y");
    }

    @Test
    void aGroupThatIsNotThereIsAnError() {
        Rule rule = Rule.of("r", "a(b)", Action.drop()).withGroup("name");

        assertThatThrownBy(() -> RuleCompiler.compile(RuleSet.of(rule)))
                .isInstanceOf(RuleException.class)
                .hasMessageContaining(
                        "'r': there is no group 'name', the regex has 1; give the number or name");
    }

    private static String redact(RuleSet rules, String text) {
        byte[] row = text.getBytes(StandardCharsets.UTF_8);
        RowRedactor redactor = new RowRedactor(RuleCompiler.compile(rules), new byte[0]);
        int length = redactor.redact(row, row.length, new long[rules.size()]);
        return new String(redactor.buffer(), 0, length, StandardCharsets.UTF_8);
    }
}
