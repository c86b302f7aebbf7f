package io.flinkgpu.backend;

import io.flinkgpu.api.search.SetChange;
import io.flinkgpu.api.search.SetQuery;
import io.flinkgpu.api.search.Similarity;
import io.flinkgpu.backend.plan.CorpusPlan;
import io.flinkgpu.backend.plan.SearchPlan;
import io.flinkgpu.testkit.VersionedQuery;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import static io.flinkgpu.api.search.SetChange.delete;
import static io.flinkgpu.api.search.SetChange.upsert;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * What each backend owes to anything resident, with the documents of a search.
 *
 * <p>Covers: Resident.
 */
abstract class ResidentContract extends OpenBackend {

    private static final SetQuery FIVE = SetQuery.of(9, 5);

    /** More than any machine has, and less than an overflow. */
    private static final long TOO_MANY_BYTES = Long.MAX_VALUE / 2;

    private SearchTester open(long bytes) throws BackendException {
        return new SearchTester(backend, Similarity.MAX, bytes);
    }

    @Test
    void isEmptyAtFirstAndCountsBatchesOfChanges() throws Exception {
        try (SearchTester tester = open(SearchTester.CORPUS_BYTES)) {
            assertThat(tester.corpus().version()).isZero();
            assertThat(tester.find(FIVE)).containsExactly("[]");
            tester.apply(upsert(1, 5), upsert(2, 5));
            tester.apply();
            tester.apply(delete(3));
            assertThat(tester.corpus().version()).isEqualTo(3);
            assertThat(tester.corpus().bytes())
                    .isPositive()
                    .isLessThanOrEqualTo(SearchTester.CORPUS_BYTES);
        }
    }

    @Test
    void theLastChangeInABatchCounts() throws Exception {
        try (SearchTester tester = open(SearchTester.CORPUS_BYTES)) {
            tester.apply(upsert(1, 5), upsert(2, 5), delete(1), upsert(1, 5, 6), delete(2));
            assertThat(tester.find(FIVE)).containsExactly("[1:1:2]");
        }
    }

    /** Those that were submitted before see what was before. */
    @Test
    void severalBatchesAreUnderWayAtOnce() throws Exception {
        try (SearchTester tester = open(SearchTester.CORPUS_BYTES)) {
            tester.apply(upsert(1, 5), upsert(2, 5, 6));
            List<VersionedQuery> batch = List.of(new VersionedQuery(FIVE, tester.version()));
            tester.check("at once", List.of(batch, batch, batch), new Random(1));
        }
    }

    @Test
    void eachProgramHasItsOwn() throws Exception {
        try (SearchTester one = open(SearchTester.CORPUS_BYTES);
                SearchTester other = open(SearchTester.CORPUS_BYTES)) {
            one.apply(upsert(1, 5));
            other.apply(upsert(2, 5));
            assertThat(one.find(FIVE)).containsExactly("[1:1:1]");
            assertThat(other.find(FIVE)).containsExactly("[2:1:1]");
        }
    }

    @Test
    void whatMemoryIsNotThereForIsRefusedWhenItIsCompiled() {
        SearchPlan plan =
                new SearchPlan(new CorpusPlan("huge", TOO_MANY_BYTES), Similarity.JACCARD);
        assertThatThrownBy(() -> backend.compile(plan))
                .isInstanceOf(BackendException.class)
                .hasMessageMatching(
                        "no (device )?memory for what a program keeps: name=huge, bytes="
                                + TOO_MANY_BYTES
                                + ", freeBytes=\\d+.*; .*ask for less.*");
    }

    @Test
    void moreThanItAskedForIsRefused() throws Exception {
        long bytes = 64L << 20;
        int[] set = IntStream.range(1 << 20, (1 << 20) + 1_024).toArray();
        long documents = bytes / Integer.BYTES / set.length;
        try (SearchTester tester = open(bytes)) {
            assertThatThrownBy(
                            () -> {
                                for (long id = 0; id < documents; id += 500) {
                                    tester.apply(upserts(id, id + 500, set));
                                }
                            })
                    .isInstanceOf(BackendException.class)
                    .hasMessageMatching(
                            "a corpus has no room for its documents: name=small,"
                                    + " neededBytes=\\d{8,}, corpusBytes="
                                    + bytes
                                    + ", documents=\\d+; raise corpusBytes, or the parallelism,"
                                    + " which divides the documents");
        }
    }

    private static List<SetChange> upserts(long from, long to, int[] set) {
        return LongStream.range(from, to).mapToObj(id -> upsert(id, set)).toList();
    }
}
