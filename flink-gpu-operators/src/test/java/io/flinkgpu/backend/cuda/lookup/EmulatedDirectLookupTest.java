package io.flinkgpu.backend.cuda.lookup;

import io.flinkgpu.api.lookup.Bag;
import io.flinkgpu.api.lookup.Combiner;
import io.flinkgpu.api.lookup.ElementType;
import io.flinkgpu.api.lookup.EmbeddingTable;
import io.flinkgpu.api.lookup.LookupRequest;
import io.flinkgpu.api.lookup.VectorChange;
import io.flinkgpu.backend.CompiledProgram;
import io.flinkgpu.backend.EmbeddingRows;
import io.flinkgpu.backend.plan.EmbeddingPlan;
import io.flinkgpu.backend.plan.EmbeddingTablesPlan;
import io.flinkgpu.backend.plan.TransformedBatch;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.embeddings.Elements;
import io.flinkgpu.embeddings.TableGauge;
import io.flinkgpu.testkit.EmbeddingOracle;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Which lookups are one launch. What they give is the oracle's.
 *
 * <p>Covers: LookupHead, LookupRun.
 */
class EmulatedDirectLookupTest {

    private static final EmbeddingTable TABLE = EmbeddingTable.of("t", 8, ElementType.F32);
    private static final int VECTORS = 5_000;

    @TempDir Path directory;

    private EmulatedEmbeddings backend;
    private EmbeddingOracle oracle;
    private EmbeddingPlan plan;
    private CompiledProgram<TransformedBatch> program;

    @BeforeEach
    void open() throws Exception {
        backend = EmulatedEmbeddings.open();
    }

    @AfterEach
    void close() {
        program.close();
        backend.close();
    }

    /** All vectors are on the host, and so many bytes of them on the device. */
    private void load(long deviceBytes) throws Exception {
        plan =
                new EmbeddingPlan(
                        new EmbeddingTablesPlan(
                                List.of(TABLE), 64 << 20, deviceBytes, directory.toString()));
        oracle = new EmbeddingOracle(plan.tables().tables());
        program = backend.compile(plan);
        List<VectorChange> changes = new ArrayList<>();
        for (int id = 0; id < VECTORS; id++) {
            float[] elements = new float[TABLE.dimension()];
            Arrays.fill(elements, id + 0.5f);
            byte[] bytes = Elements.narrow(ElementType.F32, elements);
            changes.add(VectorChange.upsertElements("t", id, bytes));
            oracle.put("t", id, bytes);
        }
        try (ColumnBatch batch =
                EmbeddingRows.changes(backend.allocator(), plan.tables(), changes)) {
            program.residents().get(0).apply(batch);
        }
    }

    private static Bag bag(Combiner combiner, long from, long to) {
        return Bag.of("t", combiner, LongStream.range(from, to).toArray());
    }

    private void find(LookupRequest... requests) throws Exception {
        List<LookupRequest> all = Arrays.asList(requests);
        try (ColumnBatch batch = EmbeddingRows.requests(backend.allocator(), plan, all);
                TransformedBatch result = program.submit(batch).await()) {
            assertThat(EmbeddingRows.values(result))
                    .isEqualTo(all.stream().map(oracle::find).toList());
        }
    }

    /** Requests for an id each. */
    private static LookupRequest[] single(long from, long to) {
        return LongStream.range(from, to)
                .mapToObj(id -> LookupRequest.of(bag(Combiner.SUM, id, id + 1)))
                .toArray(LookupRequest[]::new);
    }

    private void assertLaunches(int direct, int others) {
        assertThat(backend.launches(LookupKernel.DIRECT)).isEqualTo(direct);
        assertThat(backend.launches(LookupKernel.BAGS)).isEqualTo(others);
        assertThat(backend.launches(LookupKernel.WRITE)).isEqualTo(others);
    }

    @Test
    void whatIsAllOnTheDeviceAndCombined() throws Exception {
        load(64 << 20);
        find(single(0, 600));
        find(
                LookupRequest.of(),
                LookupRequest.of(bag(Combiner.MEAN, 5, 40), bag(Combiner.MAX, 0, 0)),
                LookupRequest.of());
        assertLaunches(2, 0);
        find(LookupRequest.of());
        assertThat(backend.launches(LookupKernel.DIRECT)).isEqualTo(2);
    }

    /** It is left to the other kernels, and so is what comes after it. */
    @Test
    void notWhereABagIsNotCombined() throws Exception {
        load(64 << 20);
        find(LookupRequest.of(bag(Combiner.SUM, 0, 3), bag(Combiner.NONE, 3, 5)));
        assertLaunches(1, 1);
        find(single(0, 10));
        assertLaunches(1, 2);
    }

    /** Nor where many are read of more host memory than is translated without a wait: they are put in order first. */
    @Test
    void notWhereLinesAreOrdered() throws Exception {
        backend.close();
        backend = EmulatedEmbeddings.withoutCaches();
        load(0);
        find(single(0, VECTORS));
        find(single(0, 10));
        assertThat(backend.launches(LookupKernel.ORDER)).isEqualTo(2);
        assertLaunches(0, 2);
        find(single(0, 10));
        assertThat(backend.launches(LookupKernel.ORDER)).isEqualTo(2);
        assertLaunches(1, 2);
    }

    /** Nor where it was so a while ago. */
    @Test
    void notWhereABlockHasManyIds() throws Exception {
        load(64 << 20);
        find(LookupRequest.of(bag(Combiner.SUM, 0, VECTORS), bag(Combiner.SUM, 0, 200)));
        assertLaunches(1, 1);
        for (int i = 1; i <= 64; i++) {
            find(single(0, 10));
            assertLaunches(1, 1 + i);
        }
        find(single(0, 10));
        assertLaunches(2, 65);
    }

    @Test
    void notWhereARowHasManyBags() throws Exception {
        load(64 << 20);
        Bag[] bags = new Bag[1_500];
        Arrays.setAll(bags, i -> bag(Combiner.SUM, i, i + 1));
        find(LookupRequest.of(bags));
        assertLaunches(1, 1);
    }

    /** Once there is room, one launch is enough. */
    @Test
    void whatHasNoRoomIsLookedUpAgain() throws Exception {
        load(64 << 20);
        Bag[] bags = new Bag[10];
        Arrays.fill(bags, bag(Combiner.SUM, 7, 9));
        LookupRequest[] requests = new LookupRequest[1_000];
        Arrays.fill(requests, LookupRequest.of(bags));
        find(requests);
        assertLaunches(1, 1);
        find(requests);
        assertLaunches(2, 1);
    }

    /** The first batch tells. */
    @Test
    void vectorsOnTheHostAreReadTwiceIfFewAre() throws Exception {
        load(100L * TABLE.vectorBytes());
        find(single(1_000, 1_600));
        assertLaunches(0, 1);
        long bytes = gauge(TableGauge.LINK_BYTES);
        find(single(2_000, 2_400));
        find(single(2_000, 2_400));
        assertLaunches(2, 1);
        assertThat(gauge(TableGauge.LINK_BYTES) - bytes)
                .isEqualTo((gauge(TableGauge.HOST_HITS) - 600) * TABLE.vectorBytes());
        LookupRequest[] often = new LookupRequest[1_100];
        Arrays.fill(often, LookupRequest.of(bag(Combiner.SUM, 3_000, 3_001)));
        find(often);
        find(often);
        assertLaunches(3, 2);
    }

    private long gauge(TableGauge gauge) {
        return program.gauges().get(gauge.of("t")).getAsLong();
    }
}
