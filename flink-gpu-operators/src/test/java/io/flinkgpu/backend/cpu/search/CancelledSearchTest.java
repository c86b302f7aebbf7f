package io.flinkgpu.backend.cpu.search;

import io.flinkgpu.api.search.SetChange;
import io.flinkgpu.api.search.SetQuery;
import io.flinkgpu.api.search.Similarity;
import io.flinkgpu.backend.SearchRows;
import io.flinkgpu.backend.plan.CorpusPlan;
import io.flinkgpu.backend.plan.SearchPlan;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.sets.Corpus;
import io.flinkgpu.sets.TileLimits;
import io.flinkgpu.testkit.VersionedQuery;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.Collections;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * A search ends when its thread is interrupted, which would take many seconds otherwise.
 *
 * <p>Covers: CpuSearch.
 */
@Timeout(60)
class CancelledSearchTest {

    private static final int DOCUMENTS = 20_000;
    private static final int QUERIES = 100_000;

    enum Way {
        SCAN(new SearchCost(0, 0, 1, 1, 1, 1), 0, 5),
        INDEX(new SearchCost(1, 1, 0, 0, 0, 0), 0, 5),
        WIDE(new SearchCost(0, 0, 1, 1, 1, 1), 256, 5),
        ZERO(new SearchCost(0, 0, 1, 1, 1, 1), 0, -1);

        private final SearchCost cost;
        private final int moreElements;
        private final int asked;

        Way(SearchCost cost, int moreElements, int asked) {
            this.cost = cost;
            this.moreElements = moreElements;
            this.asked = asked;
        }

        SetChange document(long id) {
            return SetChange.upsert(
                    id,
                    IntStream.rangeClosed(0, 9 + moreElements)
                            .map(i -> i + (int) id % 7)
                            .toArray());
        }

        SetQuery query() {
            return SetQuery.of(1, asked).withZero(this == ZERO);
        }
    }

    @ParameterizedTest
    @EnumSource
    void ends(Way way) throws Exception {
        SearchPlan plan = new SearchPlan(new CorpusPlan("many", 1 << 30), Similarity.MAX);
        Corpus corpus = new Corpus(new TileLimits(100, 1 << 16, 1 << 16), 1_000);
        List<SetChange> documents = LongStream.range(0, DOCUMENTS).mapToObj(way::document).toList();
        List<VersionedQuery> queries =
                Collections.nCopies(QUERIES, new VersionedQuery(way.query(), DOCUMENTS));
        Thread searching = Thread.currentThread();
        try (CpuSearch search = new CpuSearch(plan, corpus, way.cost, OpenBlocks.LEAST_ELEMENTS);
                BufferAllocator allocator = new RootAllocator();
                ColumnBatch changes = SearchRows.changes(allocator, documents);
                ColumnBatch batch = SearchRows.queries(allocator, queries)) {
            search.residents().get(0).apply(changes);
            Thread interrupting =
                    new Thread(
                            () -> {
                                try {
                                    Thread.sleep(300);
                                } catch (InterruptedException e) {
                                    Thread.currentThread().interrupt();
                                }
                                searching.interrupt();
                            });
            interrupting.start();
            assertThatThrownBy(() -> search.submit(batch).await())
                    .isInstanceOf(CancellationException.class)
                    .hasMessage("the operator closed while a batch was searched for");
            interrupting.join();
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
    }
}
