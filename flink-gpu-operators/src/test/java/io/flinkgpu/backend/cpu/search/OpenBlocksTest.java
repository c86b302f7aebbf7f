package io.flinkgpu.backend.cpu.search;

import io.flinkgpu.api.search.SetChange;
import io.flinkgpu.api.search.SetMatches;
import io.flinkgpu.api.search.SetQuery;
import io.flinkgpu.api.search.Similarity;
import io.flinkgpu.backend.SearchRows;
import io.flinkgpu.backend.plan.CorpusPlan;
import io.flinkgpu.backend.plan.SearchPlan;
import io.flinkgpu.backend.plan.SearchedBatch;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.sets.Corpus;
import io.flinkgpu.sets.TileLimits;
import io.flinkgpu.testkit.VersionedQuery;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.IntSupplier;
import java.util.stream.IntStream;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Covers: OpenBlocks.
 */
class OpenBlocksTest {

    /** Of each document; with what a document adds itself, 8 are a block of {@link #LEAST_ELEMENTS}. */
    private static final int ELEMENTS = 8;

    private static final int LEAST_ELEMENTS = 128;
    private static final int LEAST_DOCUMENTS = 8;
    private static final int TILE_DOCUMENTS = 100;

    private final long seed = System.nanoTime();
    private final Random random = new Random(seed);
    private final BufferAllocator allocator = new RootAllocator();
    private long ids;

    @AfterEach
    void close() {
        allocator.close();
    }

    @Test
    void blocksOfALevelAreJoined() throws Exception {
        Corpus corpus = corpus(0);
        OpenBlocks blocks = new OpenBlocks(corpus.wide(), LEAST_ELEMENTS);
        int[][] expected = {
            {}, {8}, {16}, {16, 24}, {32}, {32, 40}, {32, 48}, {32, 48, 56}, {64}, {64, 72}
        };
        for (int step = 0; step < expected.length; step++) {
            blocks.update(corpus.wide());
            assertThat(ends(blocks)).as("step %s", step).containsExactly(expected[step]);
            insert(corpus, LEAST_DOCUMENTS - 1);
            blocks.update(corpus.wide());
            assertThat(ends(blocks)).as("step %s", step).containsExactly(expected[step]);
            assertThat(blocks.rest().count()).isEqualTo(LEAST_DOCUMENTS - 1);
            insert(corpus, 1);
        }
    }

    /** Blocks follow each other without a gap, are few, and end where a rest too small for one begins. */
    @Test
    void aTileThatGrowsAnyhowHasFewBlocks() throws Exception {
        for (int run = 0; run < 20; run++) {
            Corpus corpus = corpus(0);
            OpenBlocks blocks = new OpenBlocks(corpus.wide(), LEAST_ELEMENTS);
            for (int step = 0; step < 30; step++) {
                insert(corpus, 1 + random.nextInt(30));
                blocks.update(corpus.wide());
                int from = 0;
                for (Slots block : blocks.blocks()) {
                    assertThat(block.tile()).as("seed=%s", seed).isSameAs(corpus.wide());
                    assertThat(block.from()).as("seed=%s", seed).isEqualTo(from);
                    assertThat(block.count())
                            .as("seed=%s", seed)
                            .isGreaterThanOrEqualTo(LEAST_DOCUMENTS);
                    from = block.to();
                }
                assertThat(blocks.rest())
                        .isEqualTo(new Slots(corpus.wide(), from, documents(corpus)));
                assertThat(blocks.rest().count()).as("seed=%s", seed).isLessThan(LEAST_DOCUMENTS);
                // 8, 16, 32 and 64 documents.
                assertThat(blocks.blocks()).as("seed=%s", seed).hasSizeLessThanOrEqualTo(4);
            }
        }
    }

    /** All elements have numbers, or none, so that documents are narrow, or wide. */
    @ParameterizedTest
    @ValueSource(ints = {1_000, 0})
    void indexesGoWithTheirBlocks(int numbers) throws Exception {
        Corpus corpus = corpus(numbers);
        CpuSearch search = search(corpus);
        for (int documents : new int[] {8, 8, 84}) {
            apply(search, inserts(documents));
            // All blocks became one, which has no index yet.
            assertThat(bytes(search)).isEqualTo(corpus.bytes());
            find(search, corpus.changes());
            assertThat(bytes(search)).isGreaterThan(corpus.bytes());
        }
        apply(search, inserts(1));
        assertThat(corpus.tiles()).hasSize(1);
        assertThat(bytes(search)).isEqualTo(corpus.bytes());
    }

    /** Of a block, its documents that died and those that a query does not see yet are left out. */
    @ParameterizedTest
    @ValueSource(ints = {1_000, 0})
    void eachQuerySeesTheChangesBeforeIt(int numbers) throws Exception {
        Corpus corpus = corpus(numbers);
        CpuSearch search = search(corpus);
        // Two blocks and a rest, none of them in the order of sizes.
        apply(search, inserts(20, () -> 10 + random.nextInt(10)));
        apply(search, inserts(8, () -> 10 + random.nextInt(10)));
        apply(search, inserts(2, () -> ELEMENTS));
        assertThat(find(search, 30)).as("seed=%s", seed).containsExactly(except(30));
        List<SetChange> changes =
                new ArrayList<>(List.of(SetChange.delete(0), SetChange.delete(9)));
        changes.addAll(inserts(2));
        changes.add(SetChange.delete(30));
        changes.add(SetChange.delete(27));
        apply(search, changes);
        assertThat(find(search, 30)).as("seed=%s", seed).containsExactly(except(30));
        assertThat(find(search, 31)).as("seed=%s", seed).containsExactly(except(30, 0));
        assertThat(find(search, 33)).as("seed=%s", seed).containsExactly(except(31, 0, 9));
        assertThat(find(search, 36)).as("seed=%s", seed).containsExactly(except(32, 0, 9, 30, 27));
        assertThat(bytes(search)).isGreaterThan(corpus.bytes());
    }

    private static long[] except(int documents, Integer... died) {
        return IntStream.range(0, documents)
                .filter(id -> !List.of(died).contains(id))
                .asLongStream()
                .toArray();
    }

    private static int[] ends(OpenBlocks blocks) {
        return blocks.blocks().stream().mapToInt(Slots::to).toArray();
    }

    private static int documents(Corpus corpus) {
        return corpus.wide().documents();
    }

    private static Corpus corpus(int numbers) {
        return new Corpus(new TileLimits(TILE_DOCUMENTS, 1 << 16, 1 << 16), numbers);
    }

    private static CpuSearch search(Corpus corpus) throws Exception {
        SearchPlan plan = new SearchPlan(new CorpusPlan("small", 1 << 28), Similarity.JACCARD);
        SearchCost byIndex = new SearchCost(1, 1, 0, 0, 0, 0);
        return new CpuSearch(plan, corpus, byIndex, LEAST_ELEMENTS);
    }

    private static long bytes(CpuSearch search) {
        return search.residents().get(0).bytes();
    }

    private List<SetChange> inserts(int count) {
        return inserts(count, () -> ELEMENTS);
    }

    private List<SetChange> inserts(int count, IntSupplier sizes) {
        List<SetChange> changes = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int[] elements = random.ints(0, 100).distinct().limit(sizes.getAsInt()).toArray();
            changes.add(SetChange.upsert(ids++, elements));
        }
        return changes;
    }

    private void insert(Corpus corpus, int count) throws Exception {
        try (ColumnBatch batch = SearchRows.changes(allocator, inserts(count))) {
            corpus.apply(batch);
        }
    }

    private void apply(CpuSearch search, List<SetChange> changes) throws Exception {
        try (ColumnBatch batch = SearchRows.changes(allocator, changes)) {
            search.residents().get(0).apply(batch);
        }
    }

    /** The ids, ascending, of the documents that have something in common with a query of all elements. */
    private long[] find(CpuSearch search, long version) throws Exception {
        int[] all = IntStream.range(0, 100).toArray();
        List<VersionedQuery> queries =
                List.of(new VersionedQuery(SetQuery.of(1_000, all), version));
        try (ColumnBatch batch = SearchRows.queries(allocator, queries);
                SearchedBatch result = search.submit(batch).await()) {
            SetMatches found = result.matches(0, Similarity.JACCARD, all.length);
            return IntStream.range(0, found.count()).mapToLong(found::id).sorted().toArray();
        }
    }
}
