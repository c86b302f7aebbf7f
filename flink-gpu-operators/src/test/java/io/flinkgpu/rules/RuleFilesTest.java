package io.flinkgpu.rules;

import io.flinkgpu.api.Action;
import io.flinkgpu.api.AllowList;
import io.flinkgpu.api.Confidence;
import io.flinkgpu.api.Form;
import io.flinkgpu.api.Rule;
import io.flinkgpu.api.RuleException;
import io.flinkgpu.api.RuleSet;
import io.flinkgpu.api.Structure;
import io.flinkgpu.api.Validator;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * Covers: RuleFiles.
 */
class RuleFilesTest {

    private static final long SEED = 20260101L;

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
                          - name: member-id 2
                            regex: 43
                            counter: {}
                          - name: counted
                            regex: 44
                            counter: {prefix: 'n', suffix: ''}
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
                        Rule.of("member-id 2", "43", Action.counter("[MEMBER_ID_2_", "]")),
                        Rule.of("counted", "44", Action.counter("n", "")),
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
                                + ": has more than 1048576 bytes; a rule file lists at most 4096"
                                + " rules");
        Path latin1 = folder.resolve("latin1.tsv");
        Files.write(latin1, "a\tb\tc\nn\té\tx".getBytes(StandardCharsets.ISO_8859_1));
        assertThat(readErrors(latin1))
                .containsExactly(latin1 + ":2: is not UTF-8; save the file as UTF-8");
        // The replacement character is a character like any other.
        byte[] cut = "a\t\ufffd\tc\nn\té".getBytes(StandardCharsets.UTF_8);
        Files.write(latin1, Arrays.copyOf(cut, cut.length - 1));
        assertThat(readErrors(latin1))
                .containsExactly(latin1 + ":2: is not UTF-8; save the file as UTF-8");
    }

    @Test
    @Timeout(20)
    void onlyRegularFilesAreRead() throws Exception {
        Path pipe = folder.resolve("pipe.yaml");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
        Path link = Files.createSymbolicLink(folder.resolve("zero.yaml"), Path.of("/dev/zero"));
        for (Path file : List.of(pipe, link)) {
            assertThat(readErrors(file))
                    .containsExactly(
                            file
                                    + ": is not a regular file; copy the rules to a .yaml, .yml or"
                                    + " .tsv file");
        }
    }

    @Test
    void rulesThatNeverMatchAreAllowedByName() {
        String rules = "rules: [{name: a, regex: x, label: y}]";
        assertThat(RuleFiles.parse("r.yaml", rules).allowsUnmatchable()).isFalse();
        RuleSet allowing = RuleFiles.parse("r.yaml", "unmatchable: allow\n" + rules);
        assertThat(allowing.allowsUnmatchable()).isTrue();
        assertThat(RuleFileErrorsTest.errors("r.yaml", "unmatchable: yes\n" + rules))
                .singleElement()
                .asString()
                .startsWith("r.yaml:1: 'unmatchable' is 'allow', found")
                .endsWith("write that, or leave it out");
    }

    @Test
    void hostileYamlEndsQuicklyInOneLine() {
        assertThat(RuleFileErrorsTest.errors("f.yaml", "[".repeat(200_000)))
                .containsExactly("f.yaml:1: nested deeper than 10 levels; flatten it");
        assertThat(RuleFileErrorsTest.errors("f.yaml", "a: ".repeat(2) + "b"))
                .hasSize(1)
                .allSatisfy(e -> assertThat(e).doesNotContain("\n"));
        assertThat(RuleFileErrorsTest.errors("f.yaml", "include: default\n---\ninclude: default"))
                .containsExactly(
                        "f.yaml:2: a rule file is one YAML document; put the second into its own"
                                + " file");
        assertThat(
                        RuleFileErrorsTest.errors(
                                "f.yaml", "rules: [{name: \"a\\nb\\u0000\", regex: x, lable: y}]"))
                .allSatisfy(e -> assertThat(e).doesNotContain("\n").doesNotContain("\0"))
                .anySatisfy(
                        e -> assertThat(e).endsWith("unknown key 'lable'; did you mean 'label'?"));
        assertThat(RuleFileErrorsTest.errors("f.yaml", "a\u0000b")).hasSize(1);
        StringBuilder laughs = new StringBuilder("a0: &a0 [x]\n");
        for (int i = 1; i < 30; i++) {
            laughs.append(String.format("a%d: &a%d [*a%d, *a%d]\n", i, i, i - 1, i - 1));
        }
        assertThat(RuleFileErrorsTest.errors("f.yaml", laughs.toString()))
                .contains("f.yaml:2: alias '*a0' is not supported; repeat the value");
    }

    @Test
    void anyTextIsReadOrRefusedInLines() throws IOException {
        Random random = new Random(SEED);
        String yaml;
        try (InputStream in = DefaultRules.class.getResourceAsStream("default-rules.yaml")) {
            yaml = new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
        String pieces = "{}[]:,-#&*!|>'\"%@`\\ \n\t?~\u0000\u0085\ud83d\ue000ab1";
        for (int n = 0; n < 2_000; n++) {
            int from = random.nextInt(yaml.length());
            StringBuilder text =
                    new StringBuilder(yaml.substring(from, Math.min(yaml.length(), from + 300)));
            for (int edit = random.nextInt(6); edit > 0; edit--) {
                char piece = pieces.charAt(random.nextInt(pieces.length()));
                text.insert(random.nextInt(text.length() + 1), piece);
            }
            for (String name : List.of("f.yaml", "f.tsv")) {
                String prefix = name.equals("f.tsv") ? "" : "rules:\n  - name: x\n    regex: '";
                try {
                    RuleFiles.parse(name, prefix + text);
                } catch (RuleException e) {
                    assertThat(e.errors())
                            .isNotEmpty()
                            .allMatch(line -> line.startsWith("f.") && line.lines().count() == 1);
                } catch (RuntimeException | StackOverflowError e) {
                    throw new AssertionError("seed " + SEED + ", text: " + prefix + text, e);
                }
            }
        }
    }

    private static List<String> readErrors(Path file) {
        return catchThrowableOfType(RuleException.class, () -> RuleFiles.read(file)).errors();
    }

    @Test
    void formsStructureAndFieldsOfRules() {
        RuleSet rules =
                RuleFiles.parse(
                        "r.yaml",
                        """
                        forms: [percent, json]
                        structure: {format: json, drop: [a.b], keep: ['$.c', a]}
                        rules:
                          - {name: x, regex: x, label: '[X]', fields: ['$.c.d', 'e.*']}
                          - {name: y, regex: y, label: '[Y]'}
                        """);
        assertThat(rules.forms()).containsExactly(Form.PERCENT, Form.JSON);
        assertThat(rules.structure())
                .contains(
                        Structure.json()
                                .drop("a.b")
                                .keepOnly("$.c", "a")
                                .bind("x", "$.c.d", "e.*"));
        assertThat(RuleFiles.parse("r.yaml", "include: default\nforms: all\n").forms())
                .containsExactly(Form.values());
    }

    @Test
    void rulesOfLessConfidenceNeedNotFitFormsAndStructure() {
        RuleSet rules =
                RuleFiles.parse(
                        "r.yaml",
                        """
                        confidence: high
                        forms: [percent]
                        structure: {format: json}
                        rules:
                          - {name: sure, regex: 'x', label: '[X]', fields: [a]}
                          - {name: maybe, regex: 'y', drop: true, confidence: low}
                          - {name: bound, regex: 'z', label: '[Z]', confidence: medium, fields: [b]}
                        """);
        assertThat(rules.rules()).extracting(Rule::name).containsExactly("sure");
        assertThat(rules.structure().orElseThrow().bound()).containsOnlyKeys("sure");
        RuleSet all =
                RuleSet.of(
                                Rule.of("a", "a", Action.label("[A]")),
                                Rule.of("b", "b", Action.label("[B]"))
                                        .withConfidence(Confidence.LOW))
                        .withStructure(Structure.json().bind("a", "x").bind("b", "y"));
        RuleSet left = all.atLeast(Confidence.MEDIUM);
        assertThat(left.structure().orElseThrow().bound()).containsOnlyKeys("a");
        assertThat(left.withStructure(left.structure().orElseThrow())).isEqualTo(left);
    }

    @Test
    void mistakesInFormsAndStructure() {
        assertThatThrownBy(
                        () ->
                                RuleFiles.parse(
                                        "r.yaml",
                                        """
                                        forms: [percent, rot13]
                                        structure: {format: xml}
                                        rules: [{name: x, regex: x, label: y}]
                                        """))
                .hasMessageContaining("r.yaml:1: 'forms': unknown form: form='rot13'")
                .hasMessageContaining("r.yaml:2: 'structure': 'format' is json or logfmt");
        assertThatThrownBy(
                        () ->
                                RuleFiles.parse(
                                        "r.yaml",
                                        """
                                        rules:
                                          - {name: x, regex: x, label: y, fields: [a]}
                                        """))
                .hasMessageContaining("r.yaml:2: 'fields' needs to know what records are");
        assertThatThrownBy(
                        () ->
                                RuleFiles.parse(
                                        "r.yaml",
                                        """
                                        forms: [json]
                                        rules: [{name: x, regex: x, drop: true}]
                                        """))
                .hasMessageContaining("no rule that drops its matches: rule='x'");
        assertThatThrownBy(
                        () ->
                                RuleFiles.parse(
                                        "r.yaml",
                                        """
                                        structure: {format: json, drop: [a..b]}
                                        rules: [{name: x, regex: x, label: y}]
                                        """))
                .hasMessageContaining("path='a..b'");
    }
}
