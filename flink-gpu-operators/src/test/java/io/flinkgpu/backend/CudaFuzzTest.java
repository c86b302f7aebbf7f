package io.flinkgpu.backend;

import io.flinkgpu.oracle.BackendRedactor;
import io.flinkgpu.oracle.Fuzz;
import io.flinkgpu.oracle.LastCompiled;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** The CUDA backend on {@code -Dfuzz.pairs} random pairs of a rule set and a row. */
@Tag("gpu")
@Tag("gpu-fuzz")
class CudaFuzzTest {

    private static final long SEED = Long.getLong("fuzz.seed", 20_260_101) + (1L << 41);

    @Test
    void answersAsTheOracle() throws Exception {
        LastCompiled compiler = new LastCompiled();
        try (Backend backend = CudaBackendContractTest.openOrSkip()) {
            Fuzz fuzz =
                    new Fuzz(
                                    SEED,
                                    new BackendRedactor(backend, compiler, 0, 13),
                                    new BackendRedactor(backend, compiler, 1, 1000))
                            .run(Long.getLong("fuzz.pairs", 40_000));

            assertThat(fuzz.changedShare()).as(fuzz.toString()).isBetween(0.3, 0.95);
        }
    }
}
