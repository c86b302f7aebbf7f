package io.flinkgpu.rules;

import io.flinkgpu.api.Rule;
import io.flinkgpu.api.RuleException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.aggregator.ArgumentsAccessor;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * Every error of a rule file, word for word.
 *
 * <p>Covers: RuleFiles, YamlFields, YamlRule, YamlTexts, YamlNode, Problems.
 */
class RuleFileErrorsTest {

    /** Each text after '{@code |}' is the whole error behind the file's name. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "`` | has no rules; write a list under 'rules', or 'include: default'",
                "# only a comment | has no rules; write a list under 'rules', or 'include: default'",
                "~ | has no rules; write a list under 'rules', or 'include: default'",
                "[a] | 1: a rule file is a map, found a list; start with 'rules:'",
                "{} | 1: has no rules; add 'rules' or 'include: default'",
                "rules: | 1: 'rules' is a list of rules, found nothing; write '- name: ...' lines",
                "rules: [] | 1: 'rules' is a list of rules, found an empty list; write '- name: ...' lines",
                "rules: {a: b} | 1: 'rules' is a list of rules, found a map; write '- name: ...' lines",
                "rule: [] | 1: unknown key 'rule'; did you mean 'rules'? | 1: has no rules; add 'rules' or 'include: default'",
                "include: defaults | 1: 'include' is 'default', found 'defaults'; write that",
                "include: [default] | 1: 'include' is 'default', found a list; write that",
                "disable: [card] | 1: 'disable' is about built-in rules; add 'include: default' | 1: has no rules; add 'rules' or 'include: default'",
                "{include: default, disable: card} | 1: 'disable' is a list of names, found 'card'; write [a, b]",
                "{include: default, disable: [crad]} | 1: 'disable' names a built-in rule, found 'crad'; did you mean 'card'?",
                "{include: default, include: default} | 1: key 'include' is there twice; remove one",
                "{include: default, rules: [{name: card, regex: x, drop: true}]} | 1: rule 'card' is a built-in rule too; rename it, or add 'card' to 'disable'",
                "a: b: c | 1: not valid YAML: mapping values are not allowed here; correct the syntax",
                "a: *b | 1: alias '*b' is not supported; repeat the value | 1: unknown key 'a'; known: include, groups, enable, disable, unmatchable, confidence, forms, structure, rules | 1: has no rules; add 'rules' or 'include: default'",
                "rules: !!java.net.URL [x] | 1: tag 'tag:yaml.org,2002:java.net.URL' is not supported; remove it | 1: rule (#1): a map is needed, found 'x'; write key: value pairs, keys: name, regex, label, mask, hash, counter, drop, validate, allow, group, context, confidence, fields",
                "{[a]: b} | 1: a key must be a text; write one | 1: has no rules; add 'rules' or 'include: default'"
            })
    void rootErrors(ArgumentsAccessor row) {
        List<String> expected = new ArrayList<>();
        for (int i = 1; i < row.size(); i++) {
            String message = row.getString(i);
            expected.add("f.yaml:" + (Character.isDigit(message.charAt(0)) ? "" : " ") + message);
        }
        assertThat(errors("f.yaml", row.getString(0))).containsExactlyElementsOf(expected);
    }

    /** Without its end a regex finds less, or all but the secret, and an allow list's entry keeps more. */
    @Test
    void textsThatACommentMayHaveCut() {
        String file =
                """
                rules: # behind all else a comment is one
                  - name: \ud83d\udc4d # here too
                    regex: ticket #\\d{6}
                    label: T # and
                    allow:
                      prefixes:
                        - ticket \t# 0
                        - 'ticket # 1' # quoted
                        - a#b
                  - name: b
                    regex:
                      - a # 1
                      - "b" # 2
                      - c
                        # 3
                    drop: true # here
                """;
        assertThat(errors("f.yaml", file))
                .containsExactly(
                        "f.yaml:3: rule '\ud83d\udc4d' (#1): 'regex': a comment begins behind 'ticket'; put the text"
                                + " in '...' so that ' #' is part of it, or the comment above",
                        "f.yaml:7: rule '\ud83d\udc4d' (#1): 'allow': 'prefixes': a comment begins behind 'ticket'; put"
                                + " the text in '...' so that ' #' is part of it, or the comment above",
                        "f.yaml:12: rule 'b' (#2): 'regex': a comment begins behind 'a'; put the text in"
                                + " '...' so that ' #' is part of it, or the comment above");
    }

    /** A block's last line end is text, so the regex would find nothing within a line. */
    @Test
    void blocksThatKeepTheirLastLineEnd() {
        String rules =
                """
                rules:
                  - name: a
                    regex: |
                      a
                    drop: true
                  - name: b
                    regex:
                      - >
                        b
                      - |-
                        c
                    drop: true
                """;
        String remedy =
                " ends with a line end; begin a block with '|-' or '>-', and write \\n for a line end";
        assertThat(errors("f.yaml", rules))
                .containsExactly(
                        "f.yaml:3: rule 'a' (#1): 'regex': the text" + remedy,
                        "f.yaml:8: rule 'b' (#2): 'regex': the text" + remedy);
    }

    /** The first text is the inside of a rule {@code {name: n, regex: r, ...}}. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "`` | exactly one of label, mask, hash, counter and drop is needed, found none; add one",
                ", label: a, drop: true | exactly one of label, mask, hash, counter and drop is needed, found label, drop; keep one",
                ", drop: true, validtor: luhn | unknown key 'validtor'; did you mean 'validate'?",
                ", drop: true, zzz: 1 | unknown key 'zzz'; known: name, regex, label, mask, hash, counter, drop, validate, allow, group, context, confidence, fields",
                ", drop: true, drop: true | key 'drop' is there twice; remove one",
                ", drop: yes | 'drop' is true, found 'yes'; write 'drop: true'",
                ", drop: 'true' | 'drop' is true, found 'true'; write 'drop: true'",
                ", label: '' | 'label' is empty; write one, or 'drop: true' instead",
                ", label: \"\\ud800\" | 'label': a text that is put into records must be Unicode, without unpaired surrogates: label; correct it",
                ", drop: true, allow: {values: [\"\\ud800\"]} | 'allow': words and an allow list's entries must be Unicode, without unpaired surrogates; correct it",
                ", drop: true, allow: {prefixes: [\"\\ud800\"]} | 'allow': words and an allow list's entries must be Unicode, without unpaired surrogates; correct it",
                ", label: | 'label': a text is needed, found nothing; write one, in '...'",
                ", label: [a] | 'label': a text is needed, found a list; write one, in '...'",
                ", mask: 4 | 'mask': a map is needed, found '4'; write key: value pairs, keys: keepFirst, keepLast, char",
                ", mask: {keep_last: 4} | 'mask': unknown key 'keep_last'; did you mean 'keepLast'?",
                ", mask: {keepLast: four} | 'mask': 'keepLast': a whole number is needed, found 'four'; write digits",
                ", mask: {keepLast: '4'} | 'mask': 'keepLast': a whole number is needed, found '4'; write digits",
                ", mask: {keepLast: 99999999999} | 'mask': 'keepLast': a whole number is needed, found '99999999999'; write digits",
                ", mask: {keepLast: -1} | 'mask': a mask keeps 0 to 1000 code points at each end: keepFirst=0, keepLast=-1; correct it",
                ", mask: {char: '**'} | 'mask': 'char' is one ASCII character, found '**'; write one",
                ", mask: {char: é} | 'mask': a mask character is printable ASCII: maskChar=U+00E9; correct it",
                ", hash: {hexDigits: 8} | 'hash': a hash keeps 16 to 64 hex digits: hexDigits=8; correct it",
                ", hash: {prefix: } | 'hash': 'prefix': a text is needed, found nothing; write one, in '...'",
                ", drop: true, validate: lunh | 'validate': unknown validator 'lunh'; did you mean 'luhn'?",
                ", drop: true, validate: checksum | 'validate': unknown validator 'checksum'; known: luhn, iban, ipv6, us_ssn, {entropy: 3.5}",
                ", drop: true, validate: {entropy: high} | 'validate': 'entropy' is a number of bits per byte, found 'high'; write {entropy: 3.5}",
                ", drop: true, validate: {entropy: 9} | 'validate': an entropy validator needs 0.001 to 8 bits per byte, no other takes any: kind=ENTROPY, minMilliBitsPerByte=9000; correct it",
                ", drop: true, validate: {} | 'validate': 'entropy' is missing; write {entropy: 3.5}",
                ", drop: true, allow: [a] | 'allow': a map is needed, found a list; write key: value pairs, keys: values, prefixes, words, regexes, matchRegexes, recordRegexes",
                ", drop: true, allow: {values: a} | 'allow': 'values': a list of texts is needed, found 'a'; write ['...', '...']",
                ", drop: true, allow: {prefixes: ['']} | 'allow': 'prefixes': a text is needed, found an empty one; write one",
                ", drop: true, allow: {values: [[a]]} | 'allow': 'values': a text is needed, found a list; write one, in '...'"
            })
    void ruleErrors(String inside, String message) {
        String text = "rules:\n  - {name: n, regex: r" + (inside == null ? "" : inside) + "}";
        assertThat(errors("f.yaml", text)).containsExactly("f.yaml:2: rule 'n' (#1): " + message);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"\\n", "\\r", "\\t", "\\0", "\\e", "\\x9b", "\\u2028", "\\u2029", "\\u202e"})
    void namesHaveNoControlCharacters(String escape) {
        String rules = "rules: [{name: \"a%sb\", regex: x, label: y}]".formatted(escape);
        assertThat(errors("r.yaml", rules))
                .containsExactly(
                        "r.yaml:1: rule 'a\ufffdb' (#1): name 'a\ufffdb' has a line break or another"
                                + " control character in it; remove it");
        assertThat(errors("r.tsv", "a\u001bb\tx\ty"))
                .containsExactly(
                        "r.tsv:1: rule 'a\ufffdb' (#1): name 'a\ufffdb' has a line break or another"
                                + " control character in it; remove it");
    }

    @Test
    void unknownYamlVersion() {
        assertThat(errors("r.yaml", "%YAML 9.9\n---\nrules: []\n"))
                .containsExactly(
                        "r.yaml: YAML version 9.9 is not supported; write '%YAML 1.2' or remove the"
                                + " line");
    }

    @Test
    void allYamlErrorsAreReportedAtOnceInTheOrderOfTheFile() {
        String text =
                """
                inclde: default
                rules:
                  - regex: a
                    label: '[A]'
                  - name: b
                    label: '[B]'
                  - just text
                  - name: b
                    regex:
                    mask: {}
                  - name: ' c'
                    regex: []
                    drop: true
                  - name: [d]
                    regex: d
                    drop: true
                """;
        assertThat(errors("f.yaml", text))
                .containsExactly(
                        "f.yaml:1: unknown key 'inclde'; did you mean 'include'?",
                        "f.yaml:3: rule (#1): 'name' is missing; add one",
                        "f.yaml:5: rule 'b' (#2): 'regex' is missing; add one, in '...'",
                        "f.yaml:7: rule (#3): a map is needed, found 'just text'; write key: value"
                                + " pairs, keys: name, regex, label, mask, hash, counter, drop, validate,"
                                + " allow, group, context, confidence, fields",
                        "f.yaml:8: rule 'b' is already in line 5; rename one of them",
                        "f.yaml:9: rule 'b' (#4): 'regex': a text is needed, found nothing; write"
                                + " one, in '...'",
                        "f.yaml:11: rule ' c' (#5): name ' c' has spaces at an end; remove them",
                        "f.yaml:12: rule ' c' (#5): 'regex': a list of texts is needed, found an"
                                + " empty one; write ['...', '...']",
                        "f.yaml:14: rule (#6): 'name': a text is needed, found a list; write one,"
                                + " in '...'");
    }

    @Test
    void allTsvErrorsAreReportedAtOnce() {
        String text = "# c\none\tx\n\ntwo\t\t[T]\n\ty\t[Y]\ntwo\tz\t\nfour\ta\tb\tc\n";
        assertThat(errors("f.tsv", text))
                .containsExactly(
                        "f.tsv:2: rule 'one' (#1): 3 columns are needed: columns=2; write"
                                + " name<TAB>regex<TAB>label, and \\t for a tab in the regex",
                        "f.tsv:4: rule 'two' (#2): the regex is empty; write one",
                        "f.tsv:5: rule '' (#3): the name is empty; write one",
                        "f.tsv:6: rule 'two' (#4): the label is empty; write one, or use a YAML"
                                + " file with 'drop: true'",
                        "f.tsv:6: rule 'two' is already in line 4; rename one of them",
                        "f.tsv:7: rule 'four' (#5): 3 columns are needed: columns=4; write"
                                + " name<TAB>regex<TAB>label, and \\t for a tab in the regex");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\n\n", "# nothing\n#\n"})
    void aTsvFileWithoutRulesIsRefused(String text) {
        assertThat(errors("f.tsv", text))
                .containsExactly(
                        "f.tsv: has no rules; write at least one line: name<TAB>regex<TAB>label");
    }

    @ParameterizedTest
    @ValueSource(strings = {"f.json", "f", "yaml", "f.yaml.bak"})
    void anUnknownSuffixIsRefused(String name) {
        assertThat(errors(name, "rules: []"))
                .containsExactly(
                        name + ": unknown kind of rule file; end its name in .yaml, .yml or .tsv");
    }

    @Test
    void tooManyRulesAreRefused() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 4097; i++) {
            text.append("r").append(i).append("\tx\ty\n");
        }
        assertThat(errors("f.tsv", text.toString()))
                .containsExactly(
                        "f.tsv: a rule set holds at most 4096 rules: rules=4097; join some with '|'");
    }

    @Test
    void everyRuleDisabledIsRefused() {
        String names =
                String.join(", ", DefaultRules.get().rules().stream().map(Rule::name).toList());
        assertThat(errors("f.yaml", "include: default\ndisable: [" + names + "]"))
                .containsExactly("f.yaml:1: every rule is disabled; leave one enabled");
    }

    static List<String> errors(String name, String text) {
        return catchThrowableOfType(
                        RuleException.class, () -> RuleFiles.parse(name, text == null ? "" : text))
                .errors();
    }
}
