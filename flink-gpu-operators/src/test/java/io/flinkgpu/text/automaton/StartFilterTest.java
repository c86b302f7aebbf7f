package io.flinkgpu.text.automaton;

import io.flinkgpu.api.Action;
import io.flinkgpu.api.Rule;
import io.flinkgpu.api.RuleSet;
import io.flinkgpu.rules.DefaultRules;
import io.flinkgpu.text.RuleCompiler;

import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Covers: StartFilter, TermMerger.
 */
class StartFilterTest {

    private static final long SEED = 20_260_101;

    @Test
    void findsEveryStartThatTheAutomatonHas() {
        Random random = new Random(SEED);
        RuleSet[] sets = {
            DefaultRules.all(),
            set("a", "ab", "abc", "\\bx", "y\\b", "z$", "^q"),
            set("é", "\\Bb", "c\\b.", "[^a-z]{2,5}", "d(?:e|fg)?"),
            set(".", "\\n", "\\r\\b")
        };
        for (RuleSet set : sets) {
            Dfa dfa = RuleCompiler.compile(set).dfa();
            StartFilter filter = new StartFilter(dfa);
            for (int n = 0; n < 2_000; n++) {
                check(dfa, filter, randomRow(random));
            }
        }
    }

    @Test
    void letsFewPositionsOfPlainTextThrough() {
        Dfa dfa = RuleCompiler.compile(set("secret", "\\bkey=\\w+", "\\d{3}-\\d{4}")).dfa();
        byte[] row =
                "the quick brown fox jumps over the lazy dog in 26 days and sees nothing of it"
                        .getBytes(StandardCharsets.US_ASCII);
        assertThat(starts(new StartFilter(dfa), row)).doesNotContain(true);
    }

    private static void check(Dfa dfa, StartFilter filter, byte[] row) {
        boolean[] found = starts(filter, row);
        for (int start = 0; start < row.length; start++) {
            if (hasMatch(dfa, row, start)) {
                assertThat(found[start])
                        .as("seed=%d, start %d of '%s'", SEED, start, new String(row))
                        .isTrue();
            }
        }
    }

    private static boolean[] starts(StartFilter filter, byte[] row) {
        boolean[] starts = new boolean[row.length];
        long seen = filter.initial()[Dfa.NOTHING];
        for (int i = 0; i < row.length + StartFilter.LOOK_AHEAD; i++) {
            seen <<= StartFilter.STAGE_SHIFT;
            seen = i < row.length ? seen | filter.masks()[row[i] & 0xff] : seen | filter.endMask();
            if (seen >>> StartFilter.LAST_STAGE != StartFilter.NO_TERM) {
                starts[i - StartFilter.LOOK_AHEAD] = true;
            }
        }
        return starts;
    }

    private static boolean hasMatch(Dfa dfa, byte[] row, int start) {
        int context = start == 0 ? Dfa.AT_START : Dfa.contextOf(row[start - 1] & 0xff);
        int state = dfa.startState(context);
        for (int pos = start; pos <= row.length; pos++) {
            state =
                    dfa.next(
                            state,
                            pos < row.length ? dfa.classOf(row[pos] & 0xff) : dfa.endClass());
            if (state < dfa.matchLimit()) {
                return state != Dfa.DEAD;
            }
        }
        return false;
    }

    private static byte[] randomRow(Random random) {
        String alphabet = "abcdefgqxyz \r\n-@:.=/019AZé";
        StringBuilder row = new StringBuilder();
        for (int length = random.nextInt(9); length > 0; length--) {
            row.append(alphabet.charAt(random.nextInt(alphabet.length())));
        }
        return row.toString().getBytes(StandardCharsets.UTF_8);
    }

    private static RuleSet set(String... regexes) {
        Rule[] rules = new Rule[regexes.length];
        for (int i = 0; i < regexes.length; i++) {
            rules[i] = Rule.of("r" + i, regexes[i], Action.drop());
        }
        return RuleSet.of(rules);
    }
}
