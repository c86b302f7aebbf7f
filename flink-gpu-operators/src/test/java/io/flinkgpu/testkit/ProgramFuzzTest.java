package io.flinkgpu.testkit;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Programs, followed to the letter, mean what their expressions do. {@code -Dtransform.pairs} says how
 * many pairs of an expression and a row are compared, {@code -Dtransform.seed} where it starts.
 *
 * <p>Covers: CpuTransform.
 */
class ProgramFuzzTest {

    private static final long PAIRS = Long.getLong("transform.pairs", 20_000);
    private static final long SEED = Long.getLong("transform.seed", 20_261_121);

    @Test
    void programsMeanWhatTheirExpressionsDo() {
        ExpressionFuzz fuzz = new ExpressionFuzz(SEED + (1L << 40), new PlainProgram()).run(PAIRS);

        assertThat(fuzz.refusedShare()).as(fuzz.toString()).isLessThan(0.05);
    }

    @Test
    void programsOfSeveralPasses() {
        ExpressionFuzz fuzz =
                ExpressionFuzz.ofLargePrograms(SEED, new PlainProgram()).run(PAIRS / 4);

        assertThat(fuzz.refusedShare()).as(fuzz.toString()).isLessThan(0.05);
    }
}
