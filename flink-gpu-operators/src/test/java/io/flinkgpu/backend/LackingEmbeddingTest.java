package io.flinkgpu.backend;

import io.flinkgpu.backend.cuda.lookup.EmulatedEmbeddings;

import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Batches that are repeated since a device had no memory find what they would have found, and so do later ones.
 *
 * <p>Covers: lookup.DeviceTables, FoundRows, LookupRun, Puts, VectorCache.
 */
class LackingEmbeddingTest {

    @TempDir Path directory;

    @ParameterizedTest
    @ValueSource(ints = {0, 5, 50})
    void batchesAreRepeated(int percent) throws Exception {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        AtomicInteger lacked = new AtomicInteger();
        try (Backend backend =
                EmulatedEmbeddings.lacking(
                        () -> {
                            boolean isLacking = random.nextInt(16) == 0;
                            lacked.addAndGet(isLacking ? 1 : 0);
                            return isLacking;
                        })) {
            for (int i = 0; i < Integer.getInteger("lookup.tables", 6); i++) {
                EmbeddingTester.checkRandom(backend, directory, seed + i, percent, 8);
            }
        }
        assertThat(lacked).hasPositiveValue();
    }
}
