package io.flinkgpu.oracle;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Random rule sets and rows, against the oracle. {@code -Dfuzz.pairs} says how many pairs of a rule set
 * and a row each test compares, {@code -Dfuzz.seed} where it starts.
 */
class RedactionFuzzTest {

    private static final long PAIRS = Long.getLong("fuzz.pairs", 40_000);
    private static final long SEED = Long.getLong("fuzz.seed", 20_260_101);

    @Test
    void oracleIsOneAlternation() throws Exception {
        Fuzz fuzz = new Fuzz(SEED, new OracleRedactor(AlternationFinder::factory)).run(PAIRS);

        assertThat(fuzz.changedShare()).as(fuzz.toString()).isBetween(0.3, 0.95);
        assertThat(fuzz.unansweredShare()).as(fuzz.toString()).isLessThan(0.001);
    }

    @Test
    void linearMatcherFindsWhatTheOracleFinds() throws Exception {
        check(new Fuzz(SEED, TextRedactor.linear()).run(PAIRS));
    }

    @Test
    void dfaFindsWhatTheOracleFinds() throws Exception {
        check(new Fuzz(SEED, TextRedactor.dfa()).run(PAIRS));
    }

    private static void check(Fuzz fuzz) {
        assertThat(fuzz.refusedShare()).as(fuzz.toString()).isLessThan(0.3);
        assertThat(fuzz.changedShare()).as(fuzz.toString()).isBetween(0.3, 0.95);
    }
}
