package io.flinkgpu.testkit;

import io.flinkgpu.api.RuleException;
import io.flinkgpu.backend.Backend;
import io.flinkgpu.backend.cpu.CpuBackend;
import io.flinkgpu.backend.cuda.CudaBackend;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.Arrays;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Random rule sets and rows on the GPU, against the CPU backend, which other tests compare with {@code
 * java.util.regex} on the same rule sets. Several threads, each with backends of its own, so that
 * operators sharing a device are tested too.
 *
 * <p>Covers: CudaRedaction, CudaTransform.
 */
@Tag("gpu")
class CudaFuzzTest {

    private static final long PAIRS = Long.getLong("fuzz.pairs", 40_000);
    private static final long SEED = Long.getLong("fuzz.seed", 20_260_101);
    private static final int ROWS_PER_SET = 200;
    private static final long MEMORY_BYTES = 64L << 20;

    @Test
    void cudaGivesTheBytesOfTheCpu() throws Exception {
        FuzzTally tally = FuzzThreads.run(SEED, PAIRS, CpuAndGpu::new);

        assertThat(tally.changed()).isGreaterThan(tally.pairs() / 5);
    }

    private static final class CpuAndGpu implements FuzzThreads.Comparer {
        private final Backend cpu = CpuBackend.open(TestRequests.of(MEMORY_BYTES));
        private final Backend cuda;

        CpuAndGpu() throws Exception {
            try {
                cuda = CudaBackend.open(TestRequests.of(MEMORY_BYTES));
            } catch (Exception | LinkageError e) {
                cpu.close();
                throw e;
            }
        }

        @Override
        public void compare(long setSeed, FuzzTally tally) throws Exception {
            RandomRules random = RandomRules.of(setSeed, ROWS_PER_SET);
            int separatorBytes = (int) (setSeed & 1);
            int rowsPerBatch = 1 + (int) (setSeed % ROWS_PER_SET);
            LastCompiled compiler = new LastCompiled();
            Redactor.Redacted expected;
            Redactor.Redacted actual;
            try {
                expected =
                        new BackendRedactor(cpu, compiler, separatorBytes, rowsPerBatch)
                                .redact(random.rules(), Fuzz.HASH_KEY, random.rows());
                actual =
                        new BackendRedactor(
                                        cuda,
                                        setSeed % 4 < 2 ? compiler : LastCompiled.inParts(),
                                        separatorBytes,
                                        rowsPerBatch)
                                .redact(random.rules(), Fuzz.HASH_KEY, random.rows());
            } catch (RuleException e) {
                return;
            }
            long changed = 0;
            for (int i = 0; i < random.rows().length; i++) {
                assertThat(actual.rows()[i])
                        .as(
                                "seed=%d row=%s rules=%s",
                                setSeed, Arrays.toString(random.rows()[i]), random.rules().rules())
                        .isEqualTo(expected.rows()[i]);
                changed += expected.changed()[i] ? 1 : 0;
            }
            assertThat(actual.changed()).as("seed=%d", setSeed).isEqualTo(expected.changed());
            assertThat(actual.matchesPerRule())
                    .as("seed=%d", setSeed)
                    .isEqualTo(expected.matchesPerRule());
            tally.add(random.rows().length, changed, 0, 0);
        }

        @Override
        public void close() {
            try (cpu) {
                cuda.close();
            }
        }
    }
}
