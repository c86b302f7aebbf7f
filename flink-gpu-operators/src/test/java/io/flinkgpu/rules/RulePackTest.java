package io.flinkgpu.rules;

import io.flinkgpu.api.Action;
import io.flinkgpu.api.AllowList;
import io.flinkgpu.api.Confidence;
import io.flinkgpu.api.Context;
import io.flinkgpu.api.Rule;
import io.flinkgpu.api.RuleException;
import io.flinkgpu.api.Validator;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * Covers: RulePack, Dialect, GitleaksPack, YamlPack.
 */
class RulePackTest {

    @Test
    void gitleaksRulesKeepWhatIsAroundTheSecret() {
        RulePack pack =
                RulePack.parse(
                        "pack.toml",
                        """
                        title = "ours"
                        [allowlist]
                        paths = ['''vendor''']
                        stopwords = ["example"]
                        [[rules]]
                        id = "acme-token"
                        description = "A token"
                        regex = '''(?i)[\\w.-]{0,50}?(?:acme)\\s?=\\s?(ac_[a-z0-9]{8})(?:['"\\s]|$)'''
                        entropy = 2
                        keywords = ["acme"]
                        [[rules]]
                        id = "plain"
                        regex = '''AC[0-9]{4}\\b'''
                        [[rules]]
                        id = "second"
                        regex = '''(a)(b)'''
                        secretGroup = 2
                        [[rules.allowlists]]
                        stopwords = ["x"]
                        [[rules.allowlists]]
                        regexTarget = "line"
                        regexes = ['''test$''', '''(a)\\1''']
                        [[rules.allowlists]]
                        condition = "AND"
                        regexes = ['''all''']
                        [[rules]]
                        id = "file"
                        path = '''\\.p12$'''
                        """);

        assertThat(pack.rules())
                .containsExactly(
                        Rule.of(
                                        "acme-token",
                                        "(?i)(?:acme)\\s?=\\s?(ac_[a-z0-9]{8})(?:['\"\\s]|\\z)",
                                        Action.label("[ACME_TOKEN]"))
                                .withValidator(Validator.entropy(2))
                                .withGroup("1")
                                .withContext(Context.inRecord("acme"))
                                .withAllowList(AllowList.ofStopWords("example")),
                        Rule.of("plain", "AC[0-9]{4}\\b", Action.label("[PLAIN]"))
                                .withAllowList(AllowList.ofStopWords("example")),
                        Rule.of("second", "(a)(b)", Action.label("[SECOND]"))
                                .withGroup("2")
                                .withAllowList(
                                        AllowList.ofStopWords("example", "x")
                                                .withPattern("test\\z", AllowList.Target.RECORD)));
        assertThat(pack.notes())
                .containsExactly(
                        "pack.toml:2: allow list: 'paths' has no effect",
                        "pack.toml:20: rule 'second' (#3): allow list: a regex is left out, and what"
                                + " it keeps is replaced: backreference \"\\1\" at index 3 is not"
                                + " supported: write the text out; a rule can use a validator. Regex: (a)\\1",
                        "pack.toml:23: rule 'second' (#3): allow list: it is left out, and what it"
                                + " keeps is replaced",
                        "pack.toml:26: rule 'file' (#4): it is about paths alone, and left out");
        assertThat(RuleCheck.of(pack.rules())).allMatch(RuleCheck::accepted);
        RulePack left = pack.without("plain", "second");
        assertThat(left.toRuleSet().size()).isEqualTo(1);
        assertThat(pack.place("plain")).contains(":");
        assertThatThrownBy(() -> left.place("plain"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("rule='plain'");
    }

    @Test
    void allThatIsWrongInAGitleaksPackIsToldAtOnce() {
        List<String> errors =
                errors(
                        "pack.toml",
                        """
                        titel = "x"
                        [[rules]]
                        regex = '''a'''
                        [[rules]]
                        id = "b"
                        [[rules]]
                        id = "c"
                        regex = '''c'''
                        secretGroup = 1
                        entropy = 9
                        """);

        assertThat(errors)
                .containsExactly(
                        "pack.toml:1: unknown key 'titel'; did you mean 'title'?",
                        "pack.toml:2: rule (#1): 'id' is a text that is not empty; write one",
                        "pack.toml:4: rule 'b' (#2): 'regex' is a text that is not empty; write one",
                        "pack.toml:9: rule 'c' (#3): 'secretGroup' is the number of a group, of which"
                                + " there are 0; correct it",
                        "pack.toml:10: rule 'c' (#3): 'entropy' is a number of bits, 0.001 to 8;"
                                + " correct it");
        assertThat(errors("pack.toml", "[[rules]]\nid = \n"))
                .first()
                .asString()
                .startsWith("pack.toml:2: not valid TOML: ");
        assertThat(errors("pack.toml", "title = 'x'")).first().asString().contains("no [[rules]]");
        assertThat(errors("pack.json", "{}")).first().asString().contains("unknown kind of pack");
    }

    @Test
    void aNameThatActsOnATerminalIsNamedWithoutDoingSo() {
        assertThat(errors("pack.toml", "[[rules]]\nid = \"a\\u001b[2Jb\"\nregex = 'a'"))
                .containsExactly(
                        "pack.toml:1: rule 'a\ufffd[2Jb' (#1): name 'a\ufffd[2Jb' has a line break or"
                                + " another control character in it; remove it");
    }

    @Test
    void aByteOrderMarkIsNoPartOfAPack() {
        assertThat(RulePack.parse("pack.toml", "\ufeff[[rules]]\nid='a'\nregex='b'").rules())
                .hasSize(1);
    }

    @Test
    void patternsOfSecretsPatternsDb() {
        RulePack pack =
                RulePack.parse(
                        "db.yml",
                        """
                        patterns:
                          - pattern:
                              name: Acme Key
                              regex: AC[0-9A-Z]{4}
                              confidence: high
                          - pattern:
                              name: Acme Key
                              regex: "ac{{[^[]{,3}"
                              confidence: low
                        """);

        assertThat(pack.rules())
                .containsExactly(
                        Rule.of("Acme Key", "AC[0-9A-Z]{4}", Action.label("[ACME_KEY]")),
                        Rule.of("Acme Key (2)", "ac\\{\\{[^\\[]{0,3}", Action.label("[ACME_KEY]"))
                                .withConfidence(Confidence.LOW));
        assertThat(pack.toRuleSet().atLeast(Confidence.MEDIUM).size()).isEqualTo(1);
        assertThat(errors("db.yml", "patterns:\n  - pattern:\n      name: a\n"))
                .containsExactly(
                        "db.yml:3: pattern (#1): 'name' and 'regex' are needed; write them");
        assertThat(errors("db.yml", "rules: []\n")).hasSize(2);
    }

    @Test
    void recognizersOfPresidio() {
        RulePack pack =
                RulePack.parse(
                        "p.yaml",
                        """
                        recognizers:
                          - name: Zip
                            supported_language: de
                            supported_entity: ZIP
                            patterns:
                              - {name: weak, regex: '(\\b\\d{5}\\b)', score: 0.01}
                            context: [zip]
                          - name: Titles
                            supported_entity: TITLE
                            deny_list: [Mr., Dr.]
                          - SpacyRecognizer
                        """);

        assertThat(pack.rules())
                .containsExactly(
                        Rule.of("ZIP: weak", "(?ims)(\\b\\d{5}\\b)", Action.label("[ZIP]"))
                                .withConfidence(Confidence.LOW),
                        Rule.of(
                                "TITLE: deny list",
                                "(?i)(?<!\\w)(?:\\QMr.\\E|\\QDr.\\E)(?!\\w)",
                                Action.label("[TITLE]")));
        assertThat(pack.notes()).hasSize(2);
        assertThat(RuleCheck.of(pack.rules())).allMatch(RuleCheck::accepted);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ' ',
            quoteCharacter = '`',
            value = {
                "RE2 a.b$ (?d)a.b\\z",
                "RE2 (?m)a$ (?d)(?m)a$",
                "PYTHON a\\Z a\\z",
                "PYTHON a$ (?d)a$",
                "RE2 [[\\]a] [\\[\\]a]",
                "RE2 []a] [\\]a]",
                "RE2 [[:alpha:]&&b] [[:alpha:]\\&&b]",
                "RE2 \\p{Greek}\\P{^Lu}\\pN \\p{IsGreek}\\p{Lu}\\pN",
                "RE2 a\\v[\\b]\\b a\\x0B[\\x08]\\b",
                "RE2 ${a}{2}{b \\z\\{a}{2}\\{b",
                "PYTHON (?#x)a{,2}b{,} a{0,2}b\\{,}",
            })
    void syntaxOfOthersIsRewritten(Dialect dialect, String regex, String expected) {
        assertThat(dialect.translate(regex).regex()).isEqualTo(expected);
    }

    @Test
    void groupsAreCounted() {
        assertThat(Dialect.RE2.translate("(a)(?:b)(?P<c>c)(?<d>d)(?i)\\([(]").groups())
                .isEqualTo(3);
    }

    @Test
    void aCheckTellsWhatARuleNeedsOrWhyItIsRefused(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("p.yml");
        Files.writeString(
                file,
                """
                patterns:
                  - pattern: {name: a, regex: 'AKIA[0-9]{4}'}
                  - pattern: {name: b, regex: '\\w+@'}
                  - pattern: {name: c, regex: '(a)\\1'}
                """);
        List<RuleCheck> checks = RuleCheck.of(RulePack.read(file).rules());

        assertThat(checks).extracting(RuleCheck::rule).containsExactly("a", "b", "c");
        assertThat(checks)
                .extracting(RuleCheck::cost)
                .containsExactly(RuleCheck.Cost.LOW, RuleCheck.Cost.HIGH, RuleCheck.Cost.NONE);
        assertThat(checks.get(0).states()).isBetween(8, 12);
        assertThat(checks.get(2).problems())
                .singleElement()
                .asString()
                .startsWith("Redaction rule 'c': backreference");
    }

    private static List<String> errors(String file, String text) {
        return catchThrowableOfType(RuleException.class, () -> RulePack.parse(file, text)).errors();
    }
}
