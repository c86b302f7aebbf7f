package io.flinkgpu.backend;

import io.flinkgpu.backend.cuda.lookup.EmulatedEmbeddings;
import io.flinkgpu.embeddings.TableGauge;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Caches that change by few vectors at a time while lines of the host are read in an order.
 *
 * <p>Covers: LookupRun, LookupLayout, Admission.
 */
class OrderedEmbeddingTest extends EmulatedAdmissionTest {

    private EmulatedEmbeddings emulated;

    @Override
    protected Backend open() throws Exception {
        emulated = EmulatedEmbeddings.ordering();
        return emulated;
    }

    /** As many of them as lists have room for. */
    @Test
    @Override
    void whatIsAskedForMostComesIntoTheCache() throws Exception {
        try (EmbeddingTester tables =
                new EmbeddingTester(backend, plan(VECTORS).tables(), base())) {
            for (int batch = 0; batch < 7; batch++) {
                tables.find(request(500, 500 + CACHED));
            }
            int listed = EmulatedEmbeddings.LISTED;
            assertThat(tables.gauge("t", TableGauge.EVICTIONS)).isEqualTo(3 * listed);
            assertThat(tables.gauge("t", TableGauge.DEVICE_HITS))
                    .isEqualTo((2 + 2 * 2 + 3) * listed);
        }
        assertThat(emulated.ordered()).isPositive();
    }

    @Test
    @Override
    void aBatchUnderWayKeepsItsVectorsWhileTheCacheChanges() throws Exception {
        super.aBatchUnderWayKeepsItsVectorsWhileTheCacheChanges();
        assertThat(emulated.ordered()).isPositive();
    }

    @ParameterizedTest
    @ValueSource(ints = {5, 50})
    void randomTables(int percent) throws Exception {
        long seed = System.nanoTime();
        for (int i = 0; i < 2; i++) {
            EmbeddingTester.checkRandom(backend, directory, seed + i, percent, 4);
        }
    }
}
