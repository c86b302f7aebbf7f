package io.flinkgpu.backend.cpu.search;

import io.flinkgpu.api.search.SetChange;
import io.flinkgpu.api.search.SetMatches;
import io.flinkgpu.api.search.SetQuery;
import io.flinkgpu.api.search.Similarity;
import io.flinkgpu.backend.BackendException;
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
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Documents have the room first, and tiles without an index are scanned.
 *
 * <p>Covers: CpuSearch.
 */
class NoRoomForIndexesTest {

    private static final int DOCUMENTS = 3_000;
    private static final int BLOCK_ELEMENTS = 1_000;
    private static final SearchCost BY_INDEX = new SearchCost(1, 1, 0, 0, 0, 0);

    private final long seed = System.nanoTime();
    private BufferAllocator allocator;

    @BeforeEach
    void open() {
        allocator = new RootAllocator();
    }

    @AfterEach
    void close() {
        allocator.close();
    }

    /** All elements get numbers, or so few of them that most documents are wide. */
    @ParameterizedTest
    @ValueSource(ints = {1_000, 10})
    void whatIsFoundIsTheSame(int numbers) throws Exception {
        CpuSearch roomy = search(1 << 28, numbers);
        long documentBytes = bytes(roomy);
        List<SetMatches> expected = find(roomy);
        long allBytes = bytes(roomy);
        assertThat(allBytes).isGreaterThan(documentBytes);
        for (long bytes : new long[] {documentBytes, (documentBytes + allBytes) / 2, allBytes}) {
            CpuSearch search = search(bytes, numbers);
            for (int i = 0; i < 2; i++) {
                assertThat(find(search)).as("seed=%s", seed).isEqualTo(expected);
                assertThat(bytes(search)).as("seed=%s", seed).isLessThanOrEqualTo(bytes);
            }
            assertThat(bytes(search) == documentBytes)
                    .as("seed=%s", seed)
                    .isEqualTo(bytes == documentBytes);
        }
    }

    @Test
    void documentsThatDoNotFitAreAnError() throws Exception {
        long documentBytes = bytes(search(1 << 28, 1_000));
        assertThatThrownBy(() -> search(documentBytes - 1, 1_000))
                .isInstanceOf(BackendException.class)
                .hasMessage(
                        "a corpus has no room for its documents: name=small, neededBytes="
                                + documentBytes
                                + ", corpusBytes="
                                + (documentBytes - 1)
                                + ", documents=3000; raise corpusBytes, or the parallelism,"
                                + " which divides the documents");
    }

    private CpuSearch search(long bytes, int numbers) throws BackendException {
        SearchPlan plan = new SearchPlan(new CorpusPlan("small", bytes), Similarity.JACCARD);
        Corpus corpus = new Corpus(new TileLimits(500, 1 << 16, 1 << 16), numbers);
        CpuSearch search = new CpuSearch(plan, corpus, BY_INDEX, BLOCK_ELEMENTS);
        Random random = new Random(seed);
        List<SetChange> changes = new ArrayList<>();
        for (int id = 0; id < DOCUMENTS; id++) {
            changes.add(SetChange.upsert(id, elements(random)));
        }
        try (ColumnBatch batch = SearchRows.changes(allocator, changes)) {
            search.residents().get(0).apply(batch);
        }
        return search;
    }

    private static long bytes(CpuSearch search) {
        return search.residents().get(0).bytes();
    }

    private List<SetMatches> find(CpuSearch search) throws BackendException {
        Random random = new Random(seed);
        List<VersionedQuery> queries = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            queries.add(new VersionedQuery(SetQuery.of(20, elements(random)), DOCUMENTS));
        }
        List<SetMatches> found = new ArrayList<>();
        try (ColumnBatch batch = SearchRows.queries(allocator, queries);
                SearchedBatch result = search.submit(batch).await()) {
            for (int i = 0; i < queries.size(); i++) {
                int size = queries.get(i).query().elements().length;
                found.add(result.matches(i, Similarity.JACCARD, size));
            }
        }
        return found;
    }

    private static int[] elements(Random random) {
        return random.ints(1 + random.nextInt(20), 0, 300).toArray();
    }
}
