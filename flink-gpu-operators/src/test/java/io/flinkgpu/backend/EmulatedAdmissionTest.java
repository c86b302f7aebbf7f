package io.flinkgpu.backend;

import io.flinkgpu.api.lookup.Bag;
import io.flinkgpu.api.lookup.Combiner;
import io.flinkgpu.api.lookup.ElementType;
import io.flinkgpu.api.lookup.EmbeddingTable;
import io.flinkgpu.api.lookup.LookupRequest;
import io.flinkgpu.api.lookup.LookupValues;
import io.flinkgpu.api.lookup.VectorChange;
import io.flinkgpu.backend.cuda.lookup.EmulatedEmbeddings;
import io.flinkgpu.backend.plan.EmbeddingPlan;
import io.flinkgpu.backend.plan.TransformedBatch;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.embeddings.Elements;
import io.flinkgpu.embeddings.TableGauge;
import io.flinkgpu.testkit.EmbeddingOracle;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Which vectors are in a device's cache, of which there is one for a twentieth of them.
 *
 * <p>Covers: Admission.
 */
class EmulatedAdmissionTest extends OpenBackend {

    static final int VECTORS = 1_000;
    static final int CACHED = VECTORS / 20;
    private static final EmbeddingTable TABLE = EmbeddingTable.of("t", 8, ElementType.F32);

    @TempDir Path directory;

    @Override
    protected Backend open() throws Exception {
        return EmulatedEmbeddings.open();
    }

    static List<VectorChange> base() {
        List<VectorChange> base = new ArrayList<>();
        for (int i = 0; i < VECTORS; i++) {
            float[] elements = new float[TABLE.dimension()];
            for (int k = 0; k < elements.length; k++) {
                elements[k] = i + k / 8f;
            }
            base.add(
                    VectorChange.upsertElements(
                            "t", i, Elements.narrow(ElementType.F32, elements)));
        }
        return base;
    }

    EmbeddingPlan plan(long hostVectors) throws Exception {
        EmbeddingTable stored = EmbeddingTester.withBase(directory, TABLE, base());
        return new EmbeddingPlan(
                EmbeddingTester.plan(
                        directory,
                        List.of(stored),
                        hostVectors * TABLE.vectorBytes(),
                        (long) CACHED * TABLE.vectorBytes()));
    }

    static LookupRequest request(long from, long to) {
        return LookupRequest.of(Bag.of("t", Combiner.NONE, LongStream.range(from, to).toArray()));
    }

    @Test
    void whatIsAskedForMostComesIntoTheCache() throws Exception {
        EmbeddingPlan plan = plan(VECTORS);
        try (EmbeddingTester tables = new EmbeddingTester(backend, plan.tables(), base())) {
            // The first vectors of the file are there from the start.
            tables.find(request(0, CACHED));
            assertThat(tables.gauge("t", TableGauge.DEVICE_HITS)).isEqualTo(CACHED);
            tables.find(request(500, 500 + CACHED));
            assertThat(tables.gauge("t", TableGauge.HOST_HITS)).isEqualTo(CACHED);
            tables.find(request(500, 500 + CACHED));
            assertThat(tables.gauge("t", TableGauge.EVICTIONS)).isZero();
            tables.find(request(500, 500 + CACHED));
            tables.find(request(500, 500 + CACHED));
            assertThat(tables.gauge("t", TableGauge.EVICTIONS)).isEqualTo(CACHED);
            assertThat(tables.gauge("t", TableGauge.HOST_HITS)).isEqualTo(3 * CACHED);
            assertThat(tables.gauge("t", TableGauge.DEVICE_HITS)).isEqualTo(2 * CACHED);
            assertThat(tables.gauge("t", TableGauge.LINK_BYTES))
                    .isEqualTo(3L * CACHED * TABLE.vectorBytes());
        }
    }

    /** Half of the batches wait for a disk while the cache gets other vectors. */
    @Test
    void aBatchUnderWayKeepsItsVectorsWhileTheCacheChanges() throws Exception {
        EmbeddingPlan plan = plan(VECTORS / 2);
        EmbeddingOracle oracle = new EmbeddingOracle(plan.tables().tables());
        base().forEach(change -> oracle.put("t", change.id(), change.elements()));
        List<ColumnBatch> batches = new ArrayList<>();
        try (CompiledProgram<TransformedBatch> program = backend.compile(plan)) {
            List<LookupRequest> requests = new ArrayList<>();
            for (int i = 0; i < 12; i++) {
                // What is in the cache, what will be, and what is on disk.
                LookupRequest request = i % 2 == 0 ? request(40 * i, 700) : request(0, 960);
                requests.add(request);
                batches.add(EmbeddingRows.requests(backend.allocator(), plan, List.of(request)));
            }
            // What each part of the backend does for a batch may depend on its one before.
            for (int round = 0; round < 2; round++) {
                List<Submission<TransformedBatch>> submissions = new ArrayList<>();
                for (ColumnBatch batch : batches) {
                    submissions.add(program.submit(batch));
                }
                for (int i = 0; i < submissions.size(); i++) {
                    try (TransformedBatch result = submissions.get(i).await()) {
                        List<LookupValues> found = EmbeddingRows.values(result);
                        assertThat(found)
                                .as("round=%d, batch=%d", round, i)
                                .containsExactly(oracle.find(requests.get(i)));
                    }
                }
            }
            assertThat(program.gauges().get(TableGauge.EVICTIONS.of("t")).getAsLong()).isPositive();
        } finally {
            batches.forEach(ColumnBatch::close);
        }
    }
}
