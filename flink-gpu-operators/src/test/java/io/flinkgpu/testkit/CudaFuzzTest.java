package io.flinkgpu.testkit;

import io.flinkgpu.api.RuleException;
import io.flinkgpu.api.RuleSet;
import io.flinkgpu.backend.Backend;
import io.flinkgpu.backend.cpu.CpuBackend;
import io.flinkgpu.backend.cuda.CudaBackend;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

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

    private final AtomicInteger nextSet = new AtomicInteger();
    private final AtomicLong pairs = new AtomicLong();
    private final AtomicLong changed = new AtomicLong();

    @Test
    void cudaGivesTheBytesOfTheCpu() throws Exception {
        int threads = Math.max(2, Runtime.getRuntime().availableProcessors() - 2);
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            List<Future<?>> workers = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                workers.add(
                        pool.submit(
                                () -> {
                                    compareSets();
                                    return null;
                                }));
            }
            for (Future<?> worker : workers) {
                worker.get();
            }
        } finally {
            pool.shutdownNow();
        }
        System.out.printf(
                "CUDA = CPU on %d pairs of a rule set and a row, %d of them redacted, %d rule sets,"
                        + " seed=%d, threads=%d%n",
                pairs.get(), changed.get(), nextSet.get(), SEED, threads);
        assertThat(changed.get()).isGreaterThan(pairs.get() / 5);
    }

    private void compareSets() throws Exception {
        try (Backend cpu = CpuBackend.open(TestRequests.of(MEMORY_BYTES));
                Backend cuda = CudaBackend.open(TestRequests.of(MEMORY_BYTES))) {
            while (pairs.get() < PAIRS) {
                long setSeed = SEED + nextSet.getAndIncrement();
                RandomRules random = RandomRules.of(setSeed, ROWS_PER_SET);
                try {
                    compare(setSeed, cpu, cuda, random.rules(), random.rows());
                } catch (RuleException e) {
                    continue;
                }
                pairs.addAndGet(random.rows().length);
            }
        }
    }

    private void compare(long setSeed, Backend cpu, Backend cuda, RuleSet rules, byte[][] rows)
            throws Exception {
        int separatorBytes = (int) (setSeed & 1);
        int rowsPerBatch = 1 + (int) (setSeed % ROWS_PER_SET);
        LastCompiled compiler = new LastCompiled();
        Redactor.Redacted expected =
                new BackendRedactor(cpu, compiler, separatorBytes, rowsPerBatch)
                        .redact(rules, Fuzz.HASH_KEY, rows);
        Redactor.Redacted actual =
                new BackendRedactor(
                                cuda,
                                setSeed % 4 < 2 ? compiler : LastCompiled.inParts(),
                                separatorBytes,
                                rowsPerBatch)
                        .redact(rules, Fuzz.HASH_KEY, rows);
        for (int i = 0; i < rows.length; i++) {
            assertThat(actual.rows()[i])
                    .as("seed=%d row=%s rules=%s", setSeed, Arrays.toString(rows[i]), rules.rules())
                    .isEqualTo(expected.rows()[i]);
            changed.addAndGet(expected.changed()[i] ? 1 : 0);
        }
        assertThat(actual.changed()).as("seed=%d", setSeed).isEqualTo(expected.changed());
        assertThat(actual.matchesPerRule())
                .as("seed=%d", setSeed)
                .isEqualTo(expected.matchesPerRule());
    }
}
