package io.flinkgpu.rules;

import io.flinkgpu.api.AllowList;
import io.flinkgpu.api.Rule;
import io.flinkgpu.api.RuleSet;
import io.flinkgpu.text.CompiledRules;
import io.flinkgpu.text.MatchJudge;
import io.flinkgpu.text.RowRedactor;
import io.flinkgpu.text.RuleCompiler;
import io.flinkgpu.text.automaton.Dfa;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * No match of a built-in rule that is refused or kept hides what another rule finds there.
 *
 * <p>Covers: DefaultRules.
 */
class HiddenMatchesTest {

    private static final long SEED = 20_260_101;
    private static final int WALKS = 300;
    private static final int MAX_BYTES = 120;

    private final Random random = new Random(SEED);
    private final Redacting all = new Redacting(DefaultRules.all());

    @ParameterizedTest
    @CsvSource({
        "S-1-5-32-4111111111111111, S-1-5-32-************1111",
        "S-1-5-32-4111-1111-1111-1111, S-1-5-32-***************1111",
        "S-1-5-32-123-45-6789, S-1-5-32-[SSN]",
        "S-1-5-32-544, S-1-5-32-544",
        "AKIAIOSFODNN7EXAMPLE@example.com, [EMAIL]",
        "AKIAIOSFODNN7EXAMPLE, AKIAIOSFODNN7EXAMPLE",
        "127.0.0.1, 127.0.0.1",
        "41111111-1111-4112-92af-ea0c51ba2ca5, [UUID]",
        "00000000-0000-0000-0000-000000000000, 00000000-0000-0000-0000-000000000000"
    })
    void namedTexts(String text, String redacted) {
        assertThat(all.redact(text)).isEqualTo(redacted);
    }

    /** Whichever of the two rules comes first. */
    @Test
    void randomIdsOfSixteenDigitsAtTheirStart() {
        Rule card = DefaultRulesContract.ruleNamed("card");
        Rule uuid = DefaultRulesContract.ruleNamed("uuid");
        Redacting cardFirst = new Redacting(RuleSet.of(card, uuid));
        for (int i = 0; i < 20_000; i++) {
            long high = random.nextLong() & ~0xf000L | 0x4000L;
            long low = random.nextLong() & ~(0xc000L << 48) | 0x8000L << 48;
            String text = new UUID(i % 2 == 0 ? high : decimal(high), low).toString();
            assertThat(all.redact(text)).as("seed %d: %s", SEED, text).isEqualTo("[UUID]");
            String other = cardFirst.redact(text);
            assertThat(other).as("seed %d: %s", SEED, text).isNotEqualTo(text);
        }
    }

    /** The same with decimal digits only. */
    private static long decimal(long bits) {
        long digits = 0;
        for (int shift = 0; shift < Long.SIZE; shift += 4) {
            digits |= (bits >>> shift & 0xf) % 10 << shift;
        }
        return digits;
    }

    /** A text of the second rule at whose start the first one matches, and is refused or keeps it. */
    @Test
    void everyPairAtTheSameStart() {
        Set<String> pairs = new TreeSet<>();
        for (Rule first : judged()) {
            for (Rule second : DefaultRules.all().rules()) {
                if (!first.equals(second) && checkSameStart(first, second)) {
                    pairs.add(first.name() + " " + second.name());
                }
            }
        }
        assertThat(pairs)
                .contains("card uuid", "card email", "aws_key_id email", "mac ipv6", "uuid email");
    }

    private boolean checkSameStart(Rule first, Rule second) {
        Found a = new Found(first);
        Found b = new Found(second);
        Redacting both = new Redacting(RuleSet.of(first, second));
        boolean any = false;
        List<String> beginnings = new ArrayList<>(kept(first));
        beginnings.add("");
        for (String beginning : beginnings) {
            for (int walk = 0; walk < WALKS; walk++) {
                byte[] text = randomText(a, b, beginning);
                if (text == null || a.isReplacedAtStart(text) || !b.isReplacedAtStart(text)) {
                    continue;
                }
                any = true;
                String found = ascii(text, b.end(text));
                assertChanged(both, text, found, first, second);
                assertChanged(all, text, found, first, second);
            }
        }
        return any;
    }

    /** A text of the second rule within one that the first one keeps. */
    @Test
    void everyPairWithinAKeptText() {
        Set<String> pairs = new TreeSet<>();
        for (Rule first : judged()) {
            for (Rule second : DefaultRules.all().rules()) {
                if (!first.equals(second) && checkWithin(first, second)) {
                    pairs.add(first.name() + " " + second.name());
                }
            }
        }
        assertThat(pairs).contains("win_sid card", "win_sid us_ssn");
    }

    private boolean checkWithin(Rule first, Rule second) {
        Found a = new Found(first);
        Redacting alone = new Redacting(RuleSet.of(second));
        Redacting both = new Redacting(RuleSet.of(first, second));
        Redacting turned = new Redacting(RuleSet.of(second, first));
        boolean any = false;
        for (String kept : kept(first)) {
            for (DefaultRulesContract.Example example :
                    DefaultRulesContract.examples("default-examples.yaml").get(second.name())) {
                byte[] text = (kept + example.text()).getBytes(StandardCharsets.UTF_8);
                boolean within =
                        example.matches()
                                && a.end(text) == text.length
                                && !a.isReplacedAtStart(text)
                                && !alone.redact(new String(text, StandardCharsets.UTF_8))
                                        .endsWith(example.text());
                if (within) {
                    any = true;
                    assertChanged(both, text, example.text(), first, second);
                    assertChanged(turned, text, example.text(), first, second);
                    assertChanged(all, text, example.text(), first, second);
                }
            }
        }
        return any;
    }

    private static void assertChanged(
            Redacting redacting, byte[] text, String found, Rule first, Rule second) {
        String input = new String(text, StandardCharsets.UTF_8);
        assertThat(redacting.redact(input))
                .as("seed %d, %s before %s: %s", SEED, first.name(), second.name(), input)
                .doesNotContain(found);
    }

    private static List<Rule> judged() {
        MatchJudge judge = new MatchJudge(DefaultRules.all());
        List<Rule> rules = DefaultRules.all().rules();
        return rules.stream().filter(rule -> judge.judges(rules.indexOf(rule))).toList();
    }

    private static List<String> kept(Rule rule) {
        AllowList list = rule.allowList();
        List<String> kept = new ArrayList<>(list.values());
        kept.addAll(list.prefixes());
        return kept;
    }

    private static String ascii(byte[] text, int length) {
        return new String(text, 0, length, StandardCharsets.US_ASCII);
    }

    /** A text that both rules match from its start, or null. */
    private byte[] randomText(Found a, Found b, String beginning) {
        byte[] text = new byte[MAX_BYTES];
        byte[] first = beginning.getBytes(StandardCharsets.UTF_8);
        int stateOfA = a.dfa.startState(Dfa.AT_START);
        int stateOfB = b.dfa.startState(Dfa.AT_START);
        boolean matchedA = false;
        boolean matchedB = false;
        for (int length = 0; length < MAX_BYTES; length++) {
            int next = -1;
            int tries = 0;
            while (next < 0 && tries++ < 200) {
                int value = length < first.length ? first[length] & 0xff : ' ' + random.nextInt(95);
                boolean dead =
                        !matchedA && a.next(stateOfA, value) == Dfa.DEAD
                                || !matchedB && b.next(stateOfB, value) == Dfa.DEAD;
                next = dead ? -1 : value;
            }
            if (next < 0) {
                return null;
            }
            text[length] = (byte) next;
            stateOfA = a.next(stateOfA, next);
            stateOfB = b.next(stateOfB, next);
            matchedA |= stateOfA != Dfa.DEAD && stateOfA < a.dfa.matchLimit();
            matchedB |= stateOfB != Dfa.DEAD && stateOfB < b.dfa.matchLimit();
            byte[] soFar = Arrays.copyOf(text, length + 1);
            if (length + 1 >= first.length && a.end(soFar) > 0 && b.end(soFar) > 0) {
                return soFar;
            }
        }
        return null;
    }

    /** What a rule alone finds at the start of a text. */
    private static final class Found {

        private final Dfa dfa;
        private final MatchJudge judge;

        Found(Rule rule) {
            dfa = RuleCompiler.compile(RuleSet.of(rule)).dfa();
            judge = new MatchJudge(RuleSet.of(rule));
        }

        int next(int state, int value) {
            return dfa.next(state, dfa.classOf(value));
        }

        /** The end of the match at the start, 0 if there is none. */
        int end(byte[] text) {
            int end = 0;
            int state = dfa.startState(Dfa.AT_START);
            for (int at = 0; at <= text.length; at++) {
                int symbol = at < text.length ? dfa.classOf(text[at] & 0xff) : dfa.endClass();
                state = dfa.next(state, symbol);
                if (state == Dfa.DEAD) {
                    return end;
                }
                if (state < dfa.matchLimit()) {
                    end = at - dfa.backOff(state);
                    if (state < dfa.finalLimit()) {
                        return end;
                    }
                }
            }
            return end;
        }

        boolean isReplacedAtStart(byte[] text) {
            int end = end(text);
            return end > 0 && judge.judge(0, text, 0, end) == MatchJudge.REDACT;
        }
    }

    private static final class Redacting {

        private final RowRedactor redactor;
        private final long[] matches;

        Redacting(RuleSet rules) {
            CompiledRules compiled = RuleCompiler.compile(rules);
            redactor = new RowRedactor(compiled, new byte[0]);
            matches = new long[rules.size()];
        }

        String redact(String text) {
            byte[] row = text.getBytes(StandardCharsets.UTF_8);
            int length = redactor.redact(row, row.length, matches);
            return new String(redactor.buffer(), 0, length, StandardCharsets.UTF_8);
        }
    }
}
