package io.flinkgpu.rules;

import io.flinkgpu.api.Rule;
import io.flinkgpu.api.RuleSet;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Groups of built-in rules; their table in docs/rules.md is written with {@code -Ddocs.update=true}.
 *
 * <p>Covers: RuleGroup.
 */
class RuleGroupTest {

    private static final Path DOCS = Path.of("..", "docs", "rules.md");
    private static final String BEGIN = "<!-- precision table, made by RuleGroupTest -->\n";
    private static final String END = "<!-- end of the precision table -->\n";
    private static final Set<RuleGroup> KINDS = EnumSet.range(RuleGroup.SECRETS, RuleGroup.NETWORK);

    @Test
    void everyRuleIsOfOneKindAndThoseOfCountriesToo() {
        List<String> ofKinds = new ArrayList<>();
        KINDS.forEach(group -> ofKinds.addAll(group.rules()));
        assertThat(ofKinds).containsExactlyInAnyOrderElementsOf(names(DefaultRules.all()));
        EnumSet.complementOf(EnumSet.copyOf(KINDS))
                .forEach(country -> assertThat(ofKinds).containsAll(country.rules()));
    }

    @Test
    void groupsAreSwitchedInApiAndFiles() {
        List<String> financial = List.of("card_track", "card", "iban");
        assertThat(names(DefaultRules.of(Set.of(RuleGroup.FINANCIAL)))).isEqualTo(financial);
        assertThat(names(file("groups: [financial]"))).isEqualTo(financial);
        assertThat(names(file("groups: [financial, us]\ndisable: [us_ssn]")))
                .containsExactly("card_track", "card", "iban", "us_ssn_named");
        assertThat(names(file("disable: [secrets, credentials, pii, network]")))
                .isEqualTo(financial);
        assertThat(names(file("groups: [financial]\nenable: [uuid]")))
                .containsExactly("uuid", "card_track", "card", "iban");
        assertThat(names(DefaultRules.of(Set.of(RuleGroup.NETWORK)))).doesNotContain("uuid");
        assertThatThrownBy(() -> file("groups: [financal]"))
                .hasMessageContaining(
                        "f.yaml:2: 'groups' names a group of built-in rules, found 'financal'; did you"
                                + " mean 'financial'?");
        assertThatThrownBy(() -> RuleGroup.of("x")).hasMessageContaining("groups: secrets, ");
        assertThatThrownBy(() -> DefaultRules.of(Set.of())).hasMessageContaining("name one");
    }

    @Test
    void theDocsHaveTheTableOfWhatTheExamplesShow() throws IOException {
        String docs = Files.readString(DOCS);
        int begin = docs.indexOf(BEGIN) + BEGIN.length();
        String updated = docs.substring(0, begin) + table() + docs.substring(docs.indexOf(END));
        if (Boolean.getBoolean("docs.update")) {
            Files.writeString(DOCS, updated);
        }
        assertThat(docs).isEqualTo(updated);
    }

    private static String table() {
        Map<String, List<DefaultRulesContract.Example>> examples =
                DefaultRulesContract.examples("default-examples.yaml");
        StringBuilder table =
                new StringBuilder(
                        "| rule | groups | found | recall | kept | others' kept | precision |\n"
                                + "|---|---|---|---|---|---|---|\n");
        for (Rule rule : DefaultRules.all().rules()) {
            Redactor redactor = new JavaRegexRedactor(RuleSet.of(rule));
            int wanted = 0;
            int found = 0;
            int[] unwanted = new int[2];
            int[] kept = new int[2];
            for (Map.Entry<String, List<DefaultRulesContract.Example>> of : examples.entrySet()) {
                boolean own = of.getKey().equals(rule.name());
                for (DefaultRulesContract.Example example : of.getValue()) {
                    byte[] text = example.text().getBytes(StandardCharsets.UTF_8);
                    boolean finds = own || !example.matches() ? finds(redactor, text) : false;
                    if (own && example.matches()) {
                        wanted++;
                        found += finds ? 1 : 0;
                    } else if (!example.matches()) {
                        unwanted[own ? 0 : 1]++;
                        kept[own ? 0 : 1] += finds ? 0 : 1;
                    }
                }
            }
            int wrong = unwanted[0] - kept[0] + unwanted[1] - kept[1];
            table.append(
                    String.format(
                            Locale.ROOT,
                            "| `%s` | %s | %d / %d | %.2f | %d / %d | %d / %d | %.2f |\n",
                            rule.name(),
                            groups(rule.name()),
                            found,
                            wanted,
                            (double) found / wanted,
                            kept[0],
                            unwanted[0],
                            kept[1],
                            unwanted[1],
                            (double) found / (found + wrong)));
        }
        return table.toString();
    }

    private static boolean finds(Redactor redactor, byte[] text) {
        return !Arrays.equals(redactor.redact(text), text);
    }

    private static String groups(String rule) {
        return String.join(
                ", ",
                Arrays.stream(RuleGroup.values())
                        .filter(group -> group.rules().contains(rule))
                        .map(RuleGroup::key)
                        .toList());
    }

    private static RuleSet file(String lines) {
        return RuleFiles.parse("f.yaml", "include: default\n" + lines);
    }

    private static List<String> names(RuleSet rules) {
        return rules.rules().stream().map(Rule::name).toList();
    }
}
