package io.flinkgpu.text.automaton;

import io.flinkgpu.api.RuleException;
import io.flinkgpu.text.RandomRegex;
import io.flinkgpu.text.TestRules;
import io.flinkgpu.text.regex.Regex;
import io.flinkgpu.text.regex.RuleReader;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Covers: DfaMinimizer, Dfa, Nfa, NfaBuilder, RuleReader.
 */
class DfaMinimizerTest {

    @Test
    void theMinimalAutomatonAnswersAsTheLargerOneAndIsMinimal() throws Exception {
        int checked = 0;
        for (long seed = 100; seed < 300; seed++) {
            Random random = new Random(seed);
            Nfa nfa = nfa(new RandomRegex(random).regex());
            if (nfa == null) {
                continue;
            }
            StateTable table = DfaBuilder.build(nfa, new ByteClasses(nfa), DfaBuilder.MAX_WORK);
            StateTable minimal = DfaMinimizer.minimize(table);
            assertThat(minimal.states()).as("seed=%d", seed).isLessThanOrEqualTo(table.states());
            assertThat(DfaMinimizer.minimize(minimal).states())
                    .as("seed=%d", seed)
                    .isEqualTo(minimal.states());
            assertThat(distinguishable(minimal)).as("seed=%d", seed).isEqualTo(minimal.states());
            for (int walk = 0; walk < 200; walk++) {
                assertSameWalk(table, minimal, random, "seed=" + seed);
            }
            checked++;
        }
        assertThat(checked).isGreaterThan(50);
    }

    private static Nfa nfa(String regex) throws TooLargeException {
        try {
            List<Regex> regexes = RuleReader.read(TestRules.of(regex));
            NfaBuilder builder = new NfaBuilder(true);
            builder.add(0, regexes.get(0));
            return builder.build();
        } catch (RuleException e) {
            return null;
        }
    }

    private static void assertSameWalk(
            StateTable table, StateTable minimal, Random random, String input) {
        int context = random.nextInt(Dfa.CONTEXTS);
        int state = table.start()[context];
        int twin = minimal.start()[context];
        for (int step = 0; step < 12; step++) {
            int symbol = random.nextInt(table.symbols());
            state = table.next(state, symbol);
            twin = minimal.next(twin, symbol);
            assertThat(minimal.match()[twin]).as(input).isEqualTo(table.match()[state]);
        }
    }

    /** How many states Moore's refinement tells apart. */
    private static int distinguishable(StateTable table) {
        int[] kind = table.match().clone();
        int kinds = 0;
        while (true) {
            Map<List<Integer>, Integer> known = new HashMap<>();
            int[] refined = new int[kind.length];
            for (int state = 0; state < kind.length; state++) {
                List<Integer> key = new ArrayList<>();
                key.add(kind[state]);
                for (int symbol = 0; symbol < table.symbols(); symbol++) {
                    key.add(kind[table.next(state, symbol)]);
                }
                refined[state] = known.computeIfAbsent(key, k -> known.size());
            }
            if (known.size() == kinds) {
                return kinds;
            }
            kinds = known.size();
            kind = refined;
        }
    }
}
