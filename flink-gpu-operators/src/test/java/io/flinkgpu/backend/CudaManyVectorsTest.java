package io.flinkgpu.backend;

import io.flinkgpu.api.lookup.Bag;
import io.flinkgpu.api.lookup.BaseFile;
import io.flinkgpu.api.lookup.Combiner;
import io.flinkgpu.api.lookup.ElementType;
import io.flinkgpu.api.lookup.EmbeddingTable;
import io.flinkgpu.api.lookup.LookupRequest;
import io.flinkgpu.api.lookup.LookupValues;
import io.flinkgpu.backend.plan.EmbeddingPlan;
import io.flinkgpu.backend.plan.EmbeddingTablesPlan;
import io.flinkgpu.backend.plan.TransformedBatch;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.embeddings.Elements;
import io.flinkgpu.embeddings.VectorFileWriter;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Batches that want many lines of more host memory than a GPU has the addresses of, 384 MB.
 *
 * <p>Covers: CudaEmbeddings.
 */
@Tag("gpu")
class CudaManyVectorsTest extends OpenBackend {

    private static final int DIMENSION = 32;
    private static final int VECTORS = 3_000_000;
    private static final int REQUESTS = 8_000;

    @TempDir Path directory;

    private final SplittableRandom random = new SplittableRandom(20261127);

    @Override
    protected Backend open() throws BackendException {
        return CudaRedactionContractTest.openOrSkip();
    }

    @Test
    void findsWhatItOrdersByPage() throws Exception {
        EmbeddingTable table =
                EmbeddingTable.of("many", DIMENSION, ElementType.F32).withBase(written());
        EmbeddingPlan plan =
                new EmbeddingPlan(
                        new EmbeddingTablesPlan(
                                List.of(table), 1L << 30, 1 << 20, directory.toString()));
        try (CompiledProgram<TransformedBatch> program = backend.compile(plan)) {
            for (int batch = 0; batch < 4; batch++) {
                check(plan, program);
            }
        }
    }

    private void check(EmbeddingPlan plan, CompiledProgram<TransformedBatch> program)
            throws Exception {
        List<LookupRequest> requests = new ArrayList<>();
        List<LookupValues> expected = new ArrayList<>();
        for (int i = 0; i < REQUESTS; i++) {
            long[] ids = random.longs(random.nextInt(5), 0, VECTORS).toArray();
            requests.add(LookupRequest.of(Bag.of("many", Combiner.SUM, ids)));
            float[] sum = new float[DIMENSION];
            for (long id : ids) {
                for (int k = 0; k < DIMENSION; k++) {
                    sum[k] += element(id, k);
                }
            }
            expected.add(new LookupValues(sum, new int[] {DIMENSION}));
        }
        try (ColumnBatch batch = EmbeddingRows.requests(backend.allocator(), plan, requests);
                TransformedBatch result = program.submit(batch).await()) {
            assertThat(EmbeddingRows.values(result)).isEqualTo(expected);
        }
    }

    private BaseFile written() throws Exception {
        Path path = directory.resolve("many.vectors");
        try (VectorFileWriter writer = new VectorFileWriter(path, ElementType.F32, DIMENSION)) {
            float[] elements = new float[DIMENSION];
            for (int id = 0; id < VECTORS; id++) {
                for (int k = 0; k < DIMENSION; k++) {
                    elements[k] = element(id, k);
                }
                writer.add(id, Elements.narrow(ElementType.F32, elements));
            }
            writer.finish(1);
        }
        return BaseFile.raw(path.toString());
    }

    /** A number that a float has exactly. */
    private static float element(long id, int k) {
        return (id * 37 + k) % (1 << 20);
    }
}
