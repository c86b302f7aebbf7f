package io.flinkgpu.testkit;

import io.flinkgpu.backend.Backend;
import io.flinkgpu.backend.cpu.CpuBackend;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Random rule sets and rows, against the oracle. {@code -Dfuzz.pairs} says how many pairs of a rule set
 * and a row each test compares, {@code -Dfuzz.seed} where it starts.
 *
 * <p>Covers: CpuRedaction.
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
    void bothMatchersAndTheCpuBackendAnswerAsTheOracle() throws Exception {
        LastCompiled compiler = new LastCompiled();
        try (Backend backend = CpuBackend.open(TestRequests.of(256L << 20))) {
            Fuzz fuzz =
                    new Fuzz(
                                    SEED,
                                    TextRedactor.dfa(compiler),
                                    TextRedactor.linear(compiler),
                                    new BackendRedactor(backend, compiler, 0, 13),
                                    new BackendRedactor(backend, compiler, 1, 64))
                            .run(PAIRS);

            assertThat(fuzz.refusedShare()).as(fuzz.toString()).isLessThan(0.1);
        }
    }

    @Test
    void setsInSeveralAutomataAnswerAsTheOracle() throws Exception {
        LastCompiled compiler = LastCompiled.inParts();
        LastCompiled wider = LastCompiled.wider();
        try (Backend backend = CpuBackend.open(TestRequests.of(256L << 20))) {
            Fuzz fuzz =
                    new Fuzz(
                                    SEED,
                                    TextRedactor.linear(compiler),
                                    TextRedactor.walking(compiler),
                                    TextRedactor.walking(wider),
                                    new BackendRedactor(backend, wider, 1, 13),
                                    new BackendRedactor(backend, compiler, 0, 13),
                                    new BackendRedactor(backend, compiler, 1, 64))
                            .run(PAIRS);

            assertThat(fuzz.refusedShare()).as(fuzz.toString()).isLessThan(0.1);
        }
    }

    @Test
    void longRowsAreAnsweredAsByThePlainWalk() throws Exception {
        LastCompiled compiler = new LastCompiled();
        LastCompiled inParts = LastCompiled.inParts();
        try (Backend backend = CpuBackend.open(TestRequests.of(256L << 20))) {
            Fuzz fuzz =
                    Fuzz.ofLongRows(
                                    SEED + (1L << 42),
                                    compiler,
                                    TextRedactor.linear(compiler),
                                    TextRedactor.linear(inParts),
                                    new BackendRedactor(backend, compiler, 1, 3),
                                    new BackendRedactor(backend, inParts, 0, 3))
                            .run(PAIRS / 40);

            assertThat(fuzz.changedShare()).as(fuzz.toString()).isBetween(0.3, 0.95);
        }
    }
}
