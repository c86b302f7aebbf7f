package io.flinkgpu.text.automaton;

import io.flinkgpu.text.RuleCompiler;
import io.flinkgpu.text.TestRules;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Covers: Distances, DfaWriter.
 */
class DistancesTest {

    @Test
    void walksFromTwoStartsMeetOnlyBehindARepeatOrAlternativesOfTwoLengths() {
        assertThat(canAnyMeet("\\S{20}")).isFalse();
        assertThat(canAnyMeet("[0-9]{3,9}-?")).isTrue();
        assertThat(canAnyMeet("[0-9]{3,9}")).isFalse();
        assertThat(canAnyMeet("(?:ab|cd)e")).isFalse();
        assertThat(canAnyMeet("(?:ab|c)e")).isTrue();
        assertThat(canAnyMeet("ab*")).isTrue();
    }

    @Test
    void bytesOfOneCodePointAreOneStep() {
        assertThat(canAnyMeet("[a\u00e9\u20ac\ud83d\ude00]b")).isFalse();
    }

    private static boolean canAnyMeet(String regex) {
        Nfa nfa = RuleCompiler.compile(TestRules.of(regex)).nfa();
        Distances distances = new Distances(nfa);
        boolean any = false;
        for (int state = 0; state < nfa.states(); state++) {
            any |= nfa.kind()[state] == Nfa.BYTES && distances.canMeet(state);
        }
        return any;
    }
}
