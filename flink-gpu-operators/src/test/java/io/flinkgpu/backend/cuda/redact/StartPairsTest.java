package io.flinkgpu.backend.cuda.redact;

import io.flinkgpu.api.Action;
import io.flinkgpu.api.Rule;
import io.flinkgpu.api.RuleSet;
import io.flinkgpu.rules.DefaultRules;
import io.flinkgpu.text.CompiledRules;
import io.flinkgpu.text.RuleCompiler;
import io.flinkgpu.text.automaton.Dfa;

import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.stream.IntStream;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The merged automaton finds what the one of all rules finds, and the pairs rule out none of it.
 *
 * <p>Covers: StartPairs, MergedDfa.
 */
class StartPairsTest {

    private static final long SEED = 20260321;
    private static final String[] WORDS = {
        "bob@example.org",
        "10.1.2.3",
        "AKIAIOSFODNN7EXAMPLE",
        "password=hunter22",
        "::1",
        "+1 415 555-0132",
        "4111111111111111",
        "123-45-6709",
        "/home/alice/x",
        "INFO",
        " ",
        "a",
        "-",
        "\r",
        "\n",
        "@",
        "7",
        "12:34:56",
        "\u00e9",
        "x1",
        "k",
        "~9"
    };

    @Test
    void theDefaultRules() {
        assertThat(RuleCompiler.compile(DefaultRules.get()).prefilter()).isNotNull();
        check(DefaultRules.get(), 200);
    }

    @Test
    void matchesAtTheEndsOfRowsAndOverLineEnds() {
        check(
                RuleSet.of(
                        rule("one", "[a-k]$"),
                        rule("start", "^[0-9]"),
                        rule("over", "x?\n1?"),
                        rule("behind", "\\r\\b[a-z]")),
                1);
    }

    @Test
    void moreKindsOfBytesThanPairClasses() {
        // Each of these bytes may be followed by another one only.
        Rule[] rules =
                IntStream.range(0, 90)
                        .mapToObj(i -> rule("r" + i, hex(0x21 + i) + hex(0x21 + (7 * i + 1) % 90)))
                        .toArray(Rule[]::new);
        check(RuleSet.of(rules), 10);
    }

    private static String hex(int value) {
        return String.format("\\x%02x", value);
    }

    private static Rule rule(String name, String regex) {
        return Rule.of(name, regex, Action.label("#"));
    }

    private static void check(RuleSet ruleSet, int leastMatches) {
        CompiledRules rules = RuleCompiler.compile(ruleSet);
        MergedDfa merged = new MergedDfa(rules.whole());
        StartPairs pairs = new StartPairs(merged);
        Random random = new Random(SEED);
        int matches = 0;
        for (int i = 0; i < 2000; i++) {
            byte[] row = randomRow(random);
            for (int start = 0; start < row.length; start++) {
                String what = "seed " + SEED + ", row " + i + ", start " + start;
                int context = start == 0 ? Dfa.AT_START : Dfa.contextOf(row[start - 1] & 0xff);
                long expected = walk(rules.dfa(), row, start, context);
                assertThat(walk(merged, merged.startState(context), row, start))
                        .as(what)
                        .isEqualTo(expected);
                boolean lean = !contains(row, start, merged.gateByte());
                if (lean) {
                    assertThat(walk(merged, merged.leanStartState(context), row, start))
                            .as(what)
                            .isEqualTo(expected);
                }
                if (expected != 0) {
                    assertThat(isLikely(pairs, row, start, lean)).as(what).isTrue();
                    matches++;
                }
            }
        }
        assertThat(matches).isGreaterThanOrEqualTo(leastMatches);
    }

    private static byte[] randomRow(Random random) {
        StringBuilder text = new StringBuilder();
        int words = 1 + random.nextInt(6);
        for (int i = 0; i < words; i++) {
            text.append(
                    random.nextInt(4) == 0
                            ? String.valueOf((char) (0x21 + random.nextInt(90)))
                            : WORDS[random.nextInt(WORDS.length)]);
        }
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    private static boolean contains(byte[] row, int from, int value) {
        return IntStream.range(from, row.length).anyMatch(at -> (row[at] & 0xff) == value);
    }

    /** As the kernels look: rows follow each other with separators between them. */
    private static boolean isLikely(StartPairs pairs, byte[] row, int start, boolean lean) {
        int before = start == 0 ? '\n' : row[start - 1] & 0xff;
        int second = start + 1 == row.length ? '\n' : row[start + 1] & 0xff;
        int context = (pairs.info()[before] & 0xff) >> RedactAbi.START_INFO_CONTEXT_SHIFT;
        int at = pairClass(pairs, row[start] & 0xff) * RedactAbi.PAIR_CLASSES;
        int bits = pairs.pairs()[at + pairClass(pairs, second)];
        return (bits >> context + (lean ? RedactAbi.PAIRS_LEAN_SHIFT : 0) & 1) != 0;
    }

    private static int pairClass(StartPairs pairs, int value) {
        return pairs.info()[value] & RedactAbi.PAIR_CLASSES - 1;
    }

    /** The end and the rule of the match at a start, 0 if there is none. */
    private static long walk(Dfa dfa, byte[] row, int start, int context) {
        long found = 0;
        int state = dfa.startState(context);
        for (int at = start; at <= row.length; at++) {
            state = dfa.next(state, at < row.length ? dfa.classOf(row[at] & 0xff) : dfa.endClass());
            if (state == Dfa.DEAD) {
                break;
            }
            if (state < dfa.matchLimit()) {
                found = (long) (at - dfa.backOff(state)) << 8 | dfa.rule(state);
            }
            if (state < dfa.finalLimit()) {
                break;
            }
        }
        return found;
    }

    private static long walk(MergedDfa dfa, int startState, byte[] row, int start) {
        long found = 0;
        int state = startState;
        for (int at = start; at <= row.length; at++) {
            state = dfa.next(state, at < row.length ? dfa.classOf(row[at] & 0xff) : dfa.endClass());
            if (state == Dfa.DEAD) {
                break;
            }
            if (state < dfa.matchLimit()) {
                found = (long) (at - dfa.matchBackOffs()[state]) << 8 | dfa.matchRules()[state];
            }
            if (state < dfa.finalLimit()) {
                break;
            }
        }
        return found;
    }
}
