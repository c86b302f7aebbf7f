package io.flinkgpu.rules;

import io.flinkgpu.api.Action;
import io.flinkgpu.api.AllowList;
import io.flinkgpu.api.Rule;
import io.flinkgpu.api.RuleException;
import io.flinkgpu.api.RuleSet;
import io.flinkgpu.api.Validator;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.aggregator.ArgumentsAccessor;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

class RuleFilesTest {

    @TempDir Path folder;

    @Test
    void yamlHoldsEveryKindOfRule() {
        RuleSet rules =
                RuleFiles.parse(
                        "r.yaml",
                        """
                        # all of it
                        rules:
                          - name: card
                            regex: '\\d{4}'
                            mask: {keepLast: 4}
                            validate: luhn
                            allow: {values: ['1234'], prefixes: [9, "8"]}
                          - {name: all, regex: "a\\tb", mask: {keepFirst: 1, keepLast: 2, char: '#'}}
                          - name: token
                            regex: [one, 'tw"o', '(?i)three']
                            hash: {prefix: '[k1:', hexDigits: 16, suffix: ']'}
                            validate: {entropy: 3.5}
                          - name: plain hash
                            regex: 42
                            hash: {}
                          - name: gone
                            regex: '#x: y'
                            drop: true
                          - name: é
                            regex: |-
                              x y
                            label: '[$1]'
                        """);
        assertThat(rules.rules())
                .containsExactly(
                        new Rule(
                                "card",
                                "\\d{4}",
                                Action.maskKeepLast(4),
                                Validator.LUHN,
                                new AllowList(List.of("1234"), List.of("9", "8"))),
                        Rule.of("all", "a\tb", new Action.Mask(1, 2, '#')),
                        Rule.of(
                                        "token",
                                        "(?:one)|(?:tw\"o)|(?:(?i)three)",
                                        Action.hash("[k1:", 16, "]"))
                                .withValidator(Validator.entropy(3.5)),
                        Rule.of("plain hash", "42", Action.hash("", 32, "")),
                        Rule.of("gone", "#x: y", Action.drop()),
                        Rule.of("é", "x y", Action.label("[$1]")));
    }

    @ParameterizedTest
    @CsvSource({"luhn, LUHN", "iban, IBAN", "ipv6, IPV6", "us_ssn, US_SSN"})
    void yamlKnowsEveryValidator(String word, Validator.Kind kind) {
        String text = "rules: [{name: a, regex: b, drop: true, validate: " + word + "}]";
        assertThat(RuleFiles.parse("r.yml", text).rule(0).validator().kind()).isEqualTo(kind);
    }

    @Test
    void tsvHoldsNamesRegexesAndLabels() {
        String text =
                "# comment\n\nemail\t\\S+@\\S+\t[EMAIL]\r\n   \na b\tc#d\t$1 \\\n#x\ty\tz\nlast\t \t ";
        assertThat(RuleFiles.parse("r.tsv", text).rules())
                .containsExactly(
                        Rule.of("email", "\\S+@\\S+", Action.label("[EMAIL]")),
                        Rule.of("a b", "c#d", Action.label("$1 \\")),
                        Rule.of("last", " ", Action.label(" ")));
    }

    @Test
    void ownRulesComeBeforeIncludedOnes() {
        RuleSet rules =
                RuleFiles.parse(
                        "r.yaml",
                        """
                        include: default
                        disable: [card, ipv4]
                        enable: [uuid]
                        rules:
                          - {name: ticket, regex: 'T-\\d+', label: '[T]'}
                          - {name: card, regex: 'C\\d+', label: '[C]'}
                        """);
        assertThat(rules.rules()).extracting(Rule::name).startsWith("ticket", "card");
        assertThat(rules.rules().subList(2, rules.size()))
                .isEqualTo(
                        DefaultRules.all().rules().stream()
                                .filter(r -> !List.of("card", "ipv4").contains(r.name()))
                                .toList());
        assertThat(RuleFiles.parse("r.yaml", "include: default")).isEqualTo(DefaultRules.get());
    }

    @Test
    void filesAreReadBySuffixInUtf8WithOrWithoutByteOrderMark() throws IOException {
        String yaml = "rules: [{name: é, regex: ü, label: ß}]";
        Rule expected = Rule.of("é", "ü", Action.label("ß"));
        for (String name : List.of("a.yaml", "b.YML", "c.x.yml")) {
            Path file = Files.writeString(folder.resolve(name), yaml);
            assertThat(RuleFiles.read(file).rules()).containsExactly(expected);
            Files.writeString(file, "\ufeff" + yaml);
            assertThat(RuleFiles.read(file).rules()).containsExactly(expected);
        }
        Path tsv = Files.writeString(folder.resolve("d.tsv"), "\ufeffé\tü\tß");
        assertThat(RuleFiles.read(tsv).rules()).containsExactly(expected);
    }

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
                "a: *b | 1: alias '*b' is not supported; repeat the value | 1: unknown key 'a'; known: include, enable, disable, rules | 1: has no rules; add 'rules' or 'include: default'",
                "rules: !!java.net.URL [x] | 1: tag 'tag:yaml.org,2002:java.net.URL' is not supported; remove it | 1: rule (#1): a map is needed, found 'x'; write key: value pairs, keys: name, regex, label, mask, hash, drop, validate, allow",
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

    /** The first text is the inside of a rule {@code {name: n, regex: r, ...}}. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "`` | exactly one of label, mask, hash and drop is needed, found none; add one",
                ", label: a, drop: true | exactly one of label, mask, hash and drop is needed, found label, drop; keep one",
                ", drop: true, validtor: luhn | unknown key 'validtor'; did you mean 'validate'?",
                ", drop: true, zzz: 1 | unknown key 'zzz'; known: name, regex, label, mask, hash, drop, validate, allow",
                ", drop: true, drop: true | key 'drop' is there twice; remove one",
                ", drop: yes | 'drop' is true, found 'yes'; write 'drop: true'",
                ", drop: 'true' | 'drop' is true, found 'true'; write 'drop: true'",
                ", label: '' | 'label' is empty; write one, or 'drop: true' instead",
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
                ", drop: true, allow: [a] | 'allow': a map is needed, found a list; write key: value pairs, keys: values, prefixes",
                ", drop: true, allow: {values: a} | 'allow': 'values': a list of texts is needed, found 'a'; write ['...', '...']",
                ", drop: true, allow: {prefixes: ['']} | 'allow': 'prefixes': a text is needed, found an empty one; write one",
                ", drop: true, allow: {values: [[a]]} | 'allow': 'values': a text is needed, found a list; write one, in '...'"
            })
    void ruleErrors(String inside, String message) {
        String text = "rules:\n  - {name: n, regex: r" + (inside == null ? "" : inside) + "}";
        assertThat(errors("f.yaml", text)).containsExactly("f.yaml:2: rule 'n' (#1): " + message);
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
                                + " pairs, keys: name, regex, label, mask, hash, drop, validate,"
                                + " allow",
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
    void filesThatCannotBeReadAreRefused() throws IOException {
        Path missing = folder.resolve("missing.yaml");
        assertThat(readErrors(missing)).containsExactly(missing + ": no such file; check the path");
        assertThat(readErrors(folder))
                .containsExactly(folder + ": is a directory; name a .yaml, .yml or .tsv file");
        Path large = Files.writeString(folder.resolve("l.tsv"), "#".repeat((1 << 20) + 1));
        assertThat(readErrors(large))
                .containsExactly(
                        large
                                + ": has more than 1048576 bytes: bytes=1048577; a rule file lists"
                                + " at most 255 rules");
        Path latin1 = folder.resolve("latin1.tsv");
        Files.write(latin1, "a\tb\tc\nn\té\tx".getBytes(StandardCharsets.ISO_8859_1));
        assertThat(readErrors(latin1))
                .containsExactly(latin1 + ":2: is not UTF-8; save the file as UTF-8");
    }

    @Test
    void tooManyRulesAreRefused() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 256; i++) {
            text.append("r").append(i).append("\tx\ty\n");
        }
        assertThat(errors("f.tsv", text.toString()))
                .containsExactly(
                        "f.tsv: a rule set holds at most 255 rules: rules=256; join some with '|'");
    }

    @Test
    void everyRuleDisabledIsRefused() {
        String names =
                String.join(", ", DefaultRules.get().rules().stream().map(Rule::name).toList());
        assertThat(errors("f.yaml", "include: default\ndisable: [" + names + "]"))
                .containsExactly("f.yaml:1: every rule is disabled; leave one enabled");
    }

    @Test
    void hostileYamlEndsQuicklyInOneLine() {
        assertThat(errors("f.yaml", "[".repeat(200_000)))
                .containsExactly("f.yaml:1: nested deeper than 10 levels; flatten it");
        assertThat(errors("f.yaml", "a: ".repeat(2) + "b"))
                .hasSize(1)
                .allSatisfy(e -> assertThat(e).doesNotContain("\n"));
        assertThat(errors("f.yaml", "include: default\n---\ninclude: default"))
                .containsExactly(
                        "f.yaml:2: a rule file is one YAML document; put the second into its own"
                                + " file");
        assertThat(errors("f.yaml", "rules: [{name: \"a\\nb\\u0000\", regex: x, lable: y}]"))
                .allSatisfy(e -> assertThat(e).doesNotContain("\n").doesNotContain("\0"))
                .anySatisfy(
                        e -> assertThat(e).endsWith("unknown key 'lable'; did you mean 'label'?"));
        assertThat(errors("f.yaml", "a\u0000b")).hasSize(1);
        StringBuilder laughs = new StringBuilder("a0: &a0 [x]\n");
        for (int i = 1; i < 30; i++) {
            laughs.append(String.format("a%d: &a%d [*a%d, *a%d]\n", i, i, i - 1, i - 1));
        }
        assertThat(errors("f.yaml", laughs.toString()))
                .contains("f.yaml:2: alias '*a0' is not supported; repeat the value");
    }

    private static List<String> errors(String name, String text) {
        return catchThrowableOfType(
                        RuleException.class, () -> RuleFiles.parse(name, text == null ? "" : text))
                .errors();
    }

    private static List<String> readErrors(Path file) {
        return catchThrowableOfType(RuleException.class, () -> RuleFiles.read(file)).errors();
    }
}
