package io.flinkgpu.rules;

import io.flinkgpu.api.Rule;
import io.flinkgpu.api.RuleException;
import io.flinkgpu.api.RuleSet;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * What docs/rules.md shows is true.
 *
 * <p>Covers: docs/rules.md, YamlRules.
 */
class RulesDocTest {

    private final String doc = read();

    @Test
    void theYamlExampleIsAccepted() {
        RuleSet rules = RuleFiles.parse("doc.yaml", block("yaml\n", "include: default"));
        assertThat(rules.rules().subList(0, 3))
                .extracting(Rule::name)
                .containsExactly("ticket", "member_card", "customer");
        assertThat(rules.rules())
                .extracting(Rule::name)
                .contains("uuid", "email")
                .doesNotContain("ipv4", "mac");
    }

    @Test
    void theTsvExampleIsAccepted() {
        assertThat(RuleFiles.parse("doc.tsv", block("\n", "# names")).rules())
                .extracting(Rule::name)
                .containsExactly("ticket");
    }

    @Test
    void theErrorsShownAreThoseGiven() {
        String text =
                """
                rules:
                  - name: ticket
                    regex: 'T'
                    validtor: luhn
                    drop: true



                  - name: card
                    regex: 'C'
                    label: '[C]'
                    mask: {}
                """;
        RuleException e =
                catchThrowableOfType(
                        RuleException.class, () -> RuleFiles.parse("rules.yaml", text));
        assertThat(String.join("\n", e.errors()) + "\n").isEqualTo(block("\n", "rules.yaml:4"));
    }

    @Test
    void theTableListsEveryBuiltInRuleInOrderWithItsLabel() {
        String table = doc.substring(doc.indexOf("| rule | finds |"));
        List<MatchResult> rows =
                Pattern.compile("(?m)^\\| `(\\w+)` \\|.*?\\| (`[^`]*`(?:@)?|last four stay) \\|")
                        .matcher(table)
                        .results()
                        .toList();
        assertThat(rows)
                .extracting(row -> row.group(1))
                .containsExactlyElementsOf(
                        DefaultRules.all().rules().stream().map(Rule::name).toList());
        for (MatchResult row : rows) {
            String action = DefaultRulesContract.ruleNamed(row.group(1)).action().toString();
            String shown = row.group(2).replace("`", "");
            assertThat(action)
                    .contains(
                            shown.equals("last four stay") ? "keepLast=4" : "text=" + shown + "]");
        }
    }

    private String block(String fence, String start) {
        int from = doc.indexOf("```" + fence + start) + 3 + fence.length();
        assertThat(from).as(start).isGreaterThan(3 + fence.length());
        return doc.substring(from, doc.indexOf("```", from));
    }

    private static String read() {
        try {
            return Files.readString(Path.of("..", "docs", "rules.md"));
        } catch (IOException e) {
            throw new AssertionError("tests run in the module's folder", e);
        }
    }
}
