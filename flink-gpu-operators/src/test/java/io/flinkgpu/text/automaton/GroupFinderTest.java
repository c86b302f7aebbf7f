package io.flinkgpu.text.automaton;

import io.flinkgpu.api.Action;
import io.flinkgpu.api.Rule;
import io.flinkgpu.api.RuleSet;
import io.flinkgpu.text.RuleCompiler;
import io.flinkgpu.text.RulePart;

import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Covers: GroupFinder.
 */
class GroupFinderTest {

    private static final String[] GROUPED = {
        "a(b*)c",
        "a(b)?c",
        "(?:(\\d);)+",
        "(a|ab)(c|bcd)",
        "key[=:]\\s?(\\w+?)(?:;|$)",
        "\\b(\\w{2,6})=\\w*?b",
        "[\\w.-]{0,9}?(?:ab|key)(?: |=){0,3}([a-z0-9]{1,8})(?=[^a-z]|$)",
        "(?:a|(b)){1,4}0",
        "([ab]{1,3}?)+c",
        "(?<![0a])(b.{0,4})0",
        "\u00e9(.)",
        "(a+)(?m)$"
    };

    @Test
    void findsTheGroupThatTheLinearMatcherFinds() {
        int found =
                onRows(
                        300,
                        (part, matcher, groups, row, as) -> {
                            int matches = 0;
                            for (int from = 0; matcher.find(from); from = matcher.start() + 1) {
                                int start = matcher.start();
                                int end = matcher.end();
                                assertThat(groups.find(part.nfa(), row, row.length, 0, start, end))
                                        .as("%s", as)
                                        .isTrue();
                                assertSameGroup(groups, matcher, as);
                                matches++;
                            }
                            return matches;
                        });
        assertThat(found).isGreaterThan(1_000);
    }

    /** At every position of a row, whether there is a match or not. */
    @Test
    void findsTheEndThatTheLinearMatcherFinds() {
        int found =
                onRows(
                        100,
                        (part, matcher, groups, row, as) -> {
                            int matches = 0;
                            for (int start = 0; start < row.length; start++) {
                                boolean matched = matcher.find(start) && matcher.start() == start;
                                int end = groups.findEnd(part.nfa(), row, row.length, 0, start);
                                assertThat(end >= 0 ? end : -1)
                                        .as("%s at %d", as, start)
                                        .isEqualTo(matched ? matcher.end() : -1);
                                assertThat(end).isNotEqualTo(GroupFinder.UNKNOWN);
                                if (matched) {
                                    assertSameGroup(groups, matcher, as + " at " + start);
                                    matches++;
                                }
                            }
                            return matches;
                        });
        assertThat(found).isGreaterThan(300);
    }

    /** Compares both on a row, on which the matcher is; gives how many matches there were. */
    @FunctionalInterface
    private interface Comparison {

        int matches(
                RulePart part, LinearMatcher matcher, GroupFinder groups, byte[] row, String as);
    }

    /** Compares both on so many random rows for each rule. */
    private static int onRows(int rows, Comparison comparison) {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        int found = 0;
        for (String regex : GROUPED) {
            RulePart part = part(regex);
            LinearMatcher matcher = part.newLinearMatcher(1);
            GroupFinder groups = new GroupFinder();
            for (int n = 0; n < rows; n++) {
                byte[] row = row(random);
                matcher.reset(row, row.length);
                String as = "seed=" + seed + " " + regex + " in '" + new String(row) + "'";
                found += comparison.matches(part, matcher, groups, row, as);
            }
        }
        return found;
    }

    private static void assertSameGroup(GroupFinder groups, LinearMatcher matcher, String as) {
        assertThat(new int[] {groups.replacedStart(), groups.replacedEnd()})
                .as("%s", as)
                .containsExactly(matcher.replacedStart(), matcher.replacedEnd());
    }

    @Test
    void doesNotSearchLongForAnEnd() {
        Rule rule = Rule.of("r", "(?:a|a.){3,300}bcd", Action.drop());
        RulePart part = RuleCompiler.compileInParts(RuleSet.of(rule), 0).parts().get(0);
        byte[] row = "a".repeat(3_000).getBytes(StandardCharsets.US_ASCII);
        GroupFinder groups = new GroupFinder();

        assertThat(groups.findEnd(part.nfa(), row, row.length, 0, 0))
                .isEqualTo(GroupFinder.UNKNOWN);
        assertThat(groups.steps()).isLessThan(20 * row.length);
        assertThat(groups.heldBytes()).isLessThan(64 << 10);
    }

    @Test
    void givesUpOnAMatchThatIsTooLong() {
        RulePart part = part("a*(b)");
        byte[] row = ("a".repeat(400_000) + "b").getBytes(StandardCharsets.US_ASCII);
        GroupFinder groups = new GroupFinder();

        assertThat(groups.find(part.nfa(), row, row.length, 0, 0, row.length)).isFalse();
        int last = row.length - 1;
        assertThat(groups.find(part.nfa(), row, row.length, 0, last, row.length)).isTrue();
        assertThat(groups.replacedStart()).isEqualTo(last);
    }

    /** What it takes does not depend on how many other rules there are. */
    @Test
    void findsGroupsAmongManyRules() {
        List<Rule> many = new ArrayList<>();
        for (int i = 100; i < 250; i++) {
            many.add(Rule.of("r" + i, "z" + i + "[0-9]{90}", Action.drop()));
        }
        many.add(Rule.of("short", "=([a-z]+)", Action.drop()).withGroup("1"));
        RulePart part = RuleCompiler.compile(RuleSet.of(many)).whole();
        assertThat(part.nfa().states()).isGreaterThan(13_000);
        byte[] row = ("=" + "a".repeat(2_000)).getBytes(StandardCharsets.US_ASCII);
        GroupFinder groups = new GroupFinder();

        assertThat(groups.find(part.nfa(), row, 4, 150, 0, 4)).isTrue();
        assertThat(groups.steps()).isLessThan(20);
        assertThat(groups.heldBytes()).isLessThan(8 << 10);
        assertThat(groups.find(part.nfa(), row, row.length, 150, 0, row.length)).isTrue();
        assertThat(groups.replacedStart()).isEqualTo(1);
        assertThat(groups.steps()).isBetween(row.length, 4 * row.length);
    }

    @Test
    void givesBackWhatALongMatchNeeded() {
        RulePart part = part("(?:a|b)*(c)");
        byte[] row =
                ("a".repeat(GroupFinder.MAX_BYTES - 1) + "c").getBytes(StandardCharsets.US_ASCII);
        GroupFinder groups = new GroupFinder();

        assertThat(groups.find(part.nfa(), row, row.length, 0, 0, row.length)).isTrue();
        assertThat(groups.replacedStart()).isEqualTo(row.length - 1);
        assertThat(groups.heldBytes()).isLessThan(64 << 10);
    }

    /** Choices are numbered on from match to match: none of an earlier row counts for a later one. */
    @Test
    void forgetsEarlierMatches() {
        RulePart part = part("(?:a|ab)(?:c|bcd)(x)");
        byte[] row = "abcdx".getBytes(StandardCharsets.US_ASCII);
        GroupFinder groups = new GroupFinder();
        for (int n = 0; n < 1_000; n++) {
            assertThat(groups.find(part.nfa(), row, row.length, 0, 0, row.length)).isTrue();
            assertThat(groups.replacedStart()).isEqualTo(4);
        }
    }

    private static RulePart part(String regex) {
        Rule rule = Rule.of("r", regex, Action.label("[X]")).withGroup("1");
        return RuleCompiler.compile(RuleSet.of(rule)).whole();
    }

    private static byte[] row(Random random) {
        String alphabet = "aabbbc0;=: \nkey\u00e9d";
        StringBuilder row = new StringBuilder();
        for (int length = random.nextInt(40); length > 0; length--) {
            row.append(
                    random.nextInt(12) == 0
                            ? "key="
                            : alphabet.charAt(random.nextInt(alphabet.length())));
        }
        return row.toString().getBytes(StandardCharsets.UTF_8);
    }
}
