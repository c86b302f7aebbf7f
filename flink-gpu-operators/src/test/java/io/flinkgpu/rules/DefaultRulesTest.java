package io.flinkgpu.rules;

import io.flinkgpu.api.Action;
import io.flinkgpu.api.AllowList;
import io.flinkgpu.api.Rule;
import io.flinkgpu.api.RuleSet;
import io.flinkgpu.api.Validator;
import io.flinkgpu.text.validator.Iban;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Covers: DefaultRules.
 */
class DefaultRulesTest extends DefaultRulesContract {

    @Override
    protected Redactor redactor(RuleSet rules) {
        return new JavaRegexRedactor(rules);
    }

    static Stream<Rule> rules() {
        return DefaultRules.all().rules().stream();
    }

    @Test
    void uuidMustBeAskedFor() {
        assertThat(names(DefaultRules.all())).hasSize(71).contains("uuid");
        List<String> others = new ArrayList<>(names(DefaultRules.all()));
        others.remove("uuid");
        assertThat(names(DefaultRules.get())).isEqualTo(others);
    }

    @Test
    void validatorsAreWhereTheyBelongAndNumbersKeepTheirLastFour() {
        Map<String, Validator> validators =
                rules().filter(r -> r.validator() != Validator.NONE)
                        .filter(r -> r.validator().kind() != Validator.Kind.NONE)
                        .collect(Collectors.toMap(Rule::name, Rule::validator));
        assertThat(validators)
                .isEqualTo(
                        Map.of(
                                "card", Validator.LUHN,
                                "iban", Validator.IBAN,
                                "us_ssn", Validator.US_SSN,
                                "ipv6", Validator.IPV6,
                                "private_key_line", Validator.entropy(4.1)));
        assertThat(rules().filter(r -> !(r.action() instanceof Action.Label)))
                .extracting(Rule::name, Rule::action)
                .containsExactly(
                        org.assertj.core.api.Assertions.tuple("card", Action.maskKeepLast(4)),
                        org.assertj.core.api.Assertions.tuple("iban", Action.maskKeepLast(4)));
    }

    @Test
    void everyRuleHasExamplesOfBothKinds() {
        Map<String, List<Example>> examples = examples("default-examples.yaml");
        assertThat(examples.keySet()).containsExactlyElementsOf(names(DefaultRules.all()));
        examples.forEach(
                (name, list) -> {
                    assertThat(list.stream().filter(Example::matches))
                            .as(name)
                            .hasSizeGreaterThan(2);
                    assertThat(list.stream().filter(e -> !e.matches()))
                            .as(name)
                            .hasSizeGreaterThan(2);
                });
    }

    /** The examples of a rule keep it honest only if they use all of its allow list's entries. */
    @ParameterizedTest
    @MethodSource("rules")
    void allowedValuesMatchTheRuleAndPassItsValidator(Rule rule) {
        Rule strict = rule.withAllowList(AllowList.EMPTY);
        Redactor redactor = redactor(RuleSet.of(strict));
        for (String value : rule.allowList().values()) {
            byte[] bytes = value.getBytes(java.nio.charset.StandardCharsets.UTF_8);
            assertThat(redactor.redact(bytes)).as(value).isNotEqualTo(bytes);
            assertThat(redactor(RuleSet.of(rule)).redact(bytes)).as(value).isEqualTo(bytes);
        }
    }

    /** So that few positions of a row start a walk. */
    @ParameterizedTest
    @MethodSource("rules")
    void everyAlternativeStartsWithABoundaryOrALiteral(Rule rule) {
        assertThat(starts(rule.regex()))
                .allMatch(
                        start ->
                                start.matches(
                                        "\\^.*|\\\\[bB].*|[A-Za-z/:<\"-].*|\\\\[+(.].*|\\[\\?&;\\].*|\\[_-\\].*|\\\\\\$.*|[%;].*"));
    }

    @Test
    void theIbanRuleHasEveryCountryAtItsLength() {
        Pattern pattern = Pattern.compile(ruleNamed("iban").regex());
        byte[] lengths = Iban.lengths();
        for (int i = 0; i < lengths.length; i++) {
            String country = "" + (char) ('A' + i / 26) + (char) ('A' + i % 26);
            for (int length = 5; length <= 34; length++) {
                String compact = country + "00" + "A1".repeat(20).substring(0, length - 4);
                boolean expected = length == lengths[i];
                assertThat(pattern.matcher(compact).matches()).as(compact).isEqualTo(expected);
                String spaced = compact.replaceAll("(.{4})(?=.)", "$1 ");
                assertThat(pattern.matcher(spaced).matches()).as(spaced).isEqualTo(expected);
            }
        }
    }

    /**
     * An automaton tried at each start costs as much as its walks are long, so walks that fail must be
     * short or start rarely. The three rules left out walk again from each '.' or '-' of one long word;
     * their bounded forms would take thousands of states, so a row's step budget covers them instead.
     */
    @ParameterizedTest
    @MethodSource("rules")
    void hostileRowsCostFewStepsAByte(Rule rule) {
        boolean leftToTheBudget = List.of("jwt", "url_userinfo", "email").contains(rule.name());
        Set<String> rows = new LinkedHashSet<>(hostileRows("eyJ-eyJ-"));
        for (Example example : examples("default-examples.yaml").get(rule.name())) {
            rows.addAll(hostileRows(example.text()));
        }
        double worst =
                rows.stream()
                        .mapToDouble(row -> stepsPerCharacter(rule.regex(), row))
                        .max()
                        .orElseThrow();
        if (leftToTheBudget) {
            assertThat(worst).as("could be taken off the list").isGreaterThan(16);
        } else {
            assertThat(worst).isLessThan(16);
        }
    }

    /** Each piece of a text, again and again. */
    private static Set<String> hostileRows(String seed) {
        Set<String> rows = new LinkedHashSet<>();
        for (int from = 0; from < seed.length(); from++) {
            for (int to = from + 1; to <= Math.min(seed.length(), from + 8); to++) {
                rows.add(seed.substring(from, to).repeat(400).substring(0, 400));
            }
        }
        return rows;
    }

    /** How far walks look from each start that no match covers, by the characters the matcher reads. */
    private static double stepsPerCharacter(String regex, String row) {
        Reach reach = new Reach(row);
        Matcher matcher =
                Pattern.compile(JavaRegexRedactor.withAsciiBoundaries(regex)).matcher(reach);
        matcher.useTransparentBounds(true).useAnchoringBounds(false);
        long steps = 0;
        int start = 0;
        while (start < row.length()) {
            reach.farthest = start;
            matcher.region(start, row.length());
            boolean found = matcher.lookingAt();
            steps += reach.farthest - start + 1;
            start = found ? matcher.end() : start + 1;
        }
        return (double) steps / row.length();
    }

    /** A text that remembers the last position read. */
    private static final class Reach implements CharSequence {

        private final String text;
        private int farthest;

        Reach(String text) {
            this.text = text;
        }

        @Override
        public int length() {
            return text.length();
        }

        @Override
        public char charAt(int index) {
            farthest = Math.max(farthest, index);
            return text.charAt(index);
        }

        @Override
        public CharSequence subSequence(int start, int end) {
            return text.substring(start, end);
        }
    }

    private static List<String> names(RuleSet rules) {
        return rules.rules().stream().map(Rule::name).toList();
    }

    /** What each alternative starts with, groups and flags opened. */
    private static List<String> starts(String regex) {
        List<String> starts = new ArrayList<>();
        for (String alternative : alternatives(regex)) {
            String rest = alternative.replaceFirst("^\\(\\?i\\)", "");
            int close = closing(rest);
            if (close > 0) {
                starts.addAll(starts(rest.substring(3, close)));
            } else {
                starts.add(rest);
            }
        }
        return starts;
    }

    private static List<String> alternatives(String regex) {
        List<String> alternatives = new ArrayList<>();
        int depth = 0;
        int from = 0;
        boolean inClass = false;
        for (int i = 0; i < regex.length(); i++) {
            char c = regex.charAt(i);
            if (c == '\\') {
                i++;
            } else if (c == '[' || c == ']') {
                inClass = c == '[';
            } else if (!inClass && (c == '(' || c == ')')) {
                depth += c == '(' ? 1 : -1;
            } else if (c == '|' && depth == 0 && !inClass) {
                alternatives.add(regex.substring(from, i));
                from = i + 1;
            }
        }
        alternatives.add(regex.substring(from));
        return alternatives;
    }

    /** The end of the group that the regex starts with, 0 if it starts with none. */
    private static int closing(String regex) {
        if (!regex.startsWith("(?:")) {
            return 0;
        }
        int depth = 0;
        boolean inClass = false;
        for (int i = 0; i < regex.length(); i++) {
            char c = regex.charAt(i);
            if (c == '\\') {
                i++;
            } else if (c == '[' || c == ']') {
                inClass = c == '[';
            } else if (!inClass && (c == '(' || c == ')')) {
                depth += c == '(' ? 1 : -1;
                if (depth == 0) {
                    return i;
                }
            }
        }
        throw new AssertionError("a group without an end: " + regex);
    }
}
