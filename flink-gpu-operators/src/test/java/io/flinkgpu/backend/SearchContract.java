package io.flinkgpu.backend;

import io.flinkgpu.api.search.SetChange;
import io.flinkgpu.api.search.SetQuery;
import io.flinkgpu.api.search.Similarity;
import io.flinkgpu.testkit.VersionedQuery;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

import static io.flinkgpu.api.search.SetChange.delete;
import static io.flinkgpu.api.search.SetChange.upsert;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * What every backend finds in a corpus. Answers are {@code id:common:size}, the best first, and are compared
 * with the oracle's, too.
 *
 * <p>Covers: SearchPlan.
 */
public abstract class SearchContract extends OpenBackend {

    private static final int MANY = Integer.MAX_VALUE;

    private SearchTester corpus;

    /** How many corpora are filled at random, each for hundreds of queries. */
    protected int randomCorpora() {
        return Integer.getInteger("search.corpora", 40);
    }

    @BeforeEach
    void openCorpus() throws Exception {
        corpus = new SearchTester(backend, Similarity.MAX);
    }

    @AfterEach
    void closeAll() {
        if (corpus != null) {
            corpus.close();
        }
    }

    private void openAnother(Similarity similarity) throws BackendException {
        corpus.close();
        corpus = new SearchTester(backend, similarity);
    }

    @Test
    void findsTheBestOfWhatHasSomethingInCommon() throws Exception {
        assertThat(corpus.find(SetQuery.of(3, 1, 2), SetQuery.of(1))).containsOnly("[]");
        corpus.apply(upsert(10, 1, 2, 3), upsert(11, 4, 5), upsert(12, 3, 2), upsert(13));
        assertThat(
                        corpus.find(
                                SetQuery.of(9, 3, 2),
                                SetQuery.of(1, 3, 2),
                                SetQuery.of(2, 5, 1),
                                SetQuery.of(MANY, 7),
                                SetQuery.of(MANY)))
                .containsExactly("[12:2:2 10:2:3]", "[12:2:2]", "[11:1:2 10:1:3]", "[]", "[]");
        assertThat(corpus.find()).isEmpty();
    }

    @Test
    void anUpsertReplacesADocumentWithItsAttributes() throws Exception {
        corpus.apply(upsert(1, 1, 2).withAttributes(1), upsert(2, 1, 2, 3).withAttributes(1));
        corpus.apply(upsert(1, 2, 9, 8, 7), upsert(2, 1, 3).withAttributes(2), upsert(2, 1, 3));
        SetQuery all = SetQuery.of(9, 1, 2);
        assertThat(corpus.find(all, all.withAttributes(1, 1), all.withAttributes(3, 0)))
                .containsExactly("[2:1:2 1:1:4]", "[]", "[2:1:2 1:1:4]");
        corpus.apply(upsert(1));
        assertThat(corpus.find(all, all.withZero(true)))
                .containsExactly("[2:1:2]", "[2:1:2 1:0:0]");
    }

    @Test
    void whatIsDeletedIsFoundNoMore() throws Exception {
        corpus.apply(upsert(1, 1), delete(2), upsert(3, 1), delete(1), delete(1));
        assertThat(corpus.find(SetQuery.of(9, 1))).containsExactly("[3:1:1]");
        corpus.apply(delete(3), upsert(1, 1, 2));
        assertThat(corpus.find(SetQuery.of(9, 1))).containsExactly("[1:1:2]");
        corpus.apply(delete(1));
        assertThat(corpus.find(SetQuery.of(9, 1).withZero(true))).containsExactly("[]");
    }

    /** Each row of changes counts, whatever it does; a query may see some of the last batch. */
    @Test
    void aQuerySeesTheChangesUpToItsVersion() throws Exception {
        corpus.apply(upsert(1, 5), upsert(2, 5), delete(7));
        corpus.apply(
                upsert(1, 5, 6), delete(7), upsert(1, 5, 6, 7), delete(2), upsert(1, 8), upsert(2));
        SetQuery five = SetQuery.of(9, 5);
        List<VersionedQuery> queries = new ArrayList<>();
        for (long version = 3; version <= 9; version++) {
            queries.add(new VersionedQuery(five, version));
        }
        queries.add(new VersionedQuery(five.withZero(true), 9));
        assertThat(corpus.find(queries.subList(0, 3)))
                .containsExactly("[1:1:1 2:1:1]", "[2:1:1 1:1:2]", "[2:1:1 1:1:2]");
        assertThat(corpus.find(queries.subList(3, 8)))
                .containsExactly("[2:1:1 1:1:3]", "[1:1:3]", "[]", "[]", "[1:0:1 2:0:0]");
        corpus.apply();
        corpus.apply(upsert(2, 5));
        assertThat(corpus.find(List.of(new VersionedQuery(five, 9), new VersionedQuery(five, 10))))
                .containsExactly("[]", "[2:1:1]");
    }

    @Test
    void changesAreCountedByBatchesAndTakeMemory() throws Exception {
        assertThat(corpus.corpus().version()).isZero();
        corpus.apply(upsert(1, 1), delete(1));
        corpus.apply();
        corpus.apply(IntStream.range(0, 20_000).mapToObj(i -> upsert(i, i, i + 1, i + 2)).toList());
        assertThat(corpus.corpus().version()).isEqualTo(3);
        assertThat(corpus.corpus().bytes())
                .isBetween(20_000L * (Long.BYTES + 3 * Short.BYTES), SearchTester.CORPUS_BYTES);
    }

    @Test
    void tiesAreInTheOrderOfIdsWithTheirSigns() throws Exception {
        long[] ids = {5, -1, Long.MAX_VALUE, 0, Long.MIN_VALUE, 1L << 32, -(1L << 32), 4};
        for (long id : ids) {
            corpus.apply(upsert(id, 1, 2), upsert(id ^ 64, 1, 2, 3));
        }
        String first = "[-9223372036854775808:1:2 -4294967296:1:2 -1:1:2";
        SetQuery query = SetQuery.of(3, 2);
        assertThat(corpus.find(query, SetQuery.of(9, 2)))
                .containsExactly(
                        first + "]",
                        first
                                + " 0:1:2 4:1:2 5:1:2 4294967296:1:2 9223372036854775807:1:2"
                                + " -9223372036854775744:1:3]");
        for (int k = 1; k <= 2 * ids.length; k++) {
            corpus.find(SetQuery.of(k, 1, 2, 3), SetQuery.of(k, 3));
        }
    }

    @Test
    void anyElementIsOne() throws Exception {
        int[] edges = {0, -1, Integer.MAX_VALUE, Integer.MIN_VALUE, 0xFFFF, 0x10000, 56_000, 1};
        corpus.apply(upsert(1, edges), upsert(2, 0), upsert(3, -1), upsert(4));
        assertThat(
                        corpus.find(
                                SetQuery.of(9, 0),
                                SetQuery.of(9, -1),
                                SetQuery.of(9, edges),
                                SetQuery.of(9, Integer.MIN_VALUE, Integer.MAX_VALUE)))
                .containsExactly(
                        "[2:1:1 1:1:8]", "[3:1:1 1:1:8]", "[1:8:8 2:1:1 3:1:1]", "[1:2:8]");
    }

    @Test
    void onlyDocumentsWithTheAttributesCount() throws Exception {
        for (int i = 0; i < 100; i++) {
            corpus.apply(upsert(i, 1, 2 + i % 3).withAttributes(i % 2 == 0 ? i : i | 1 << 31));
        }
        SetQuery query = SetQuery.of(2, 1, 4);
        assertThat(
                        corpus.find(
                                query,
                                query.withAttributes(1 << 31, -1),
                                query.withAttributes(0xF, 7),
                                query.withAttributes(-1, 98),
                                query.withAttributes(-1, 99),
                                query.withAttributes(0, -1)))
                .containsExactly(
                        "[2:2:2 5:2:2]",
                        "[5:2:2 11:2:2]",
                        "[23:2:2 71:2:2]",
                        "[98:2:2]",
                        "[]",
                        "[2:2:2 5:2:2]");
    }

    @Test
    void whatHasNothingInCommonComesLastIfAskedFor() throws Exception {
        corpus.apply(
                upsert(5, 1, 2),
                upsert(4).withAttributes(1),
                upsert(3, 7, 8, 9),
                upsert(2, 7).withAttributes(1),
                upsert(1, 2));
        SetQuery query = SetQuery.of(4, 1).withZero(true);
        assertThat(
                        corpus.find(
                                query,
                                SetQuery.of(2).withZero(true),
                                SetQuery.of(9).withZero(true).withMinScore(-1),
                                query.withAttributes(1, 1),
                                query.withMinScore(0),
                                query.withMinScore(-0.0),
                                query.withMinScore(Double.NEGATIVE_INFINITY),
                                query.withMinScore(Double.MIN_VALUE),
                                SetQuery.of(9).withZero(true).withMinScore(Double.MIN_VALUE),
                                SetQuery.of(9).withMinScore(-1)))
                .containsExactly(
                        "[5:1:2 1:0:1 2:0:1 3:0:3]",
                        "[1:0:1 2:0:1]",
                        "[1:0:1 2:0:1 3:0:3 4:0:0 5:0:2]",
                        "[2:0:1 4:0:0]",
                        "[5:1:2 1:0:1 2:0:1 3:0:3]",
                        "[5:1:2 1:0:1 2:0:1 3:0:3]",
                        "[5:1:2 1:0:1 2:0:1 3:0:3]",
                        "[5:1:2]",
                        "[]",
                        "[]");
    }

    @ParameterizedTest
    @EnumSource(Similarity.class)
    void aMinimumIsComparedWithTheRoundedScore(Similarity similarity) throws Exception {
        openAnother(similarity);
        List<SetChange> documents = new ArrayList<>();
        for (int size = 0; size <= 60; size++) {
            documents.add(upsert(size, range(0, size)));
            documents.add(upsert(-size, range(20, 20 + size)));
        }
        corpus.apply(documents);
        SetQuery query = SetQuery.of(MANY, range(0, 30));
        List<SetQuery> queries = new ArrayList<>();
        for (int size = 1; size <= 60; size++) {
            for (int common = 1; common <= Math.min(30, size); common += 1 + size / 4) {
                double score = similarity.score(common, 30, size);
                queries.add(query.withMinScore(score));
                queries.add(query.withMinScore(Math.nextUp(score)));
                queries.add(query.withMinScore(Math.nextDown(score)).withZero(true));
            }
        }
        for (int from = 0; from < queries.size(); from += 100) {
            int to = Math.min(queries.size(), from + 100);
            corpus.find(queries.subList(from, to).toArray(SetQuery[]::new));
        }
    }

    /** Fractions that differ least, for sets of all sizes. */
    @ParameterizedTest
    @EnumSource(Similarity.class)
    void scoresAreComparedAsFractions(Similarity similarity) throws Exception {
        openAnother(similarity);
        int[] sizes = {
            1, 2, 3, 31, 32, 63, 64, 100, 127, 128, 129, 254, 255, 256, 257, 511, 512, 513, 1_022,
            1_023, 1_024
        };
        List<SetChange> documents = new ArrayList<>();
        for (int size : sizes) {
            for (int common : new int[] {1, size / 2, size - 1, size}) {
                // What is not in common with the smaller queries is with the largest.
                documents.add(upsert(-documents.size(), range(-common, size - common)));
            }
        }
        corpus.apply(documents);
        List<SetQuery> queries = new ArrayList<>();
        for (int size : sizes) {
            queries.add(SetQuery.of(20, range(-size, 0)));
            queries.add(SetQuery.of(MANY, range(-size, 0)));
            queries.add(SetQuery.of(50, range(-size / 2, size - size / 2)));
        }
        assertThat(corpus.find(queries.toArray(SetQuery[]::new))).doesNotContain("[]");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 256, 257, 2_500})
    void aBatchHasAnyNumberOfQueries(int count) throws Exception {
        corpus.apply(
                IntStream.range(0, 300).mapToObj(i -> upsert(i, range(i % 7, i % 50))).toList());
        SetQuery[] queries = new SetQuery[count];
        Arrays.setAll(queries, i -> SetQuery.of(1 + i % 20, range(i % 11, i % 64)));
        assertThat(corpus.find(queries)).hasSize(count);
    }

    @Test
    void aCorpusIsItsProgramsOwn() throws Exception {
        try (SearchTester other = new SearchTester(backend, Similarity.DICE)) {
            corpus.apply(upsert(1, 1), upsert(2, 2));
            other.apply(upsert(2, 1, 2));
            assertThat(other.find(SetQuery.of(9, 2))).containsExactly("[2:1:2]");
            assertThat(corpus.find(SetQuery.of(9, 2))).containsExactly("[2:1:1]");
        }
        assertThat(corpus.find(SetQuery.of(9, 1))).containsExactly("[1:1:1]");
    }

    @Test
    void findsWhatTheOracleDoesWhateverIsChanged() throws Exception {
        long seed = Long.getLong("search.seed", System.nanoTime());
        for (int i = 0; i < randomCorpora(); i++) {
            SearchTester.checkRandom(backend, seed + i, 4);
        }
    }

    private static int[] range(int from, int to) {
        return IntStream.range(from, to).toArray();
    }
}
