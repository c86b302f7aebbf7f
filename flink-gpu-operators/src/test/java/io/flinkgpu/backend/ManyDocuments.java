package io.flinkgpu.backend;

import io.flinkgpu.api.search.SetQuery;
import io.flinkgpu.api.search.Similarity;
import io.flinkgpu.testkit.VersionedQuery;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import static io.flinkgpu.api.search.SetChange.delete;
import static io.flinkgpu.api.search.SetChange.upsert;

/** Some thousand documents: tiles are sealed and merged, and a sample says what others have to reach. */
final class ManyDocuments {

    private static final int DOCUMENTS = 6_000;
    private static final int QUERIES = 70;
    private static final int STEPS = 6;

    private final long seed = Long.getLong("search.seed", System.nanoTime());
    private final Random random = new Random(seed);
    private final int distinct;

    /**
     * @param distinct how many elements there are
     */
    ManyDocuments(int distinct) {
        this.distinct = distinct;
    }

    /** Compares what a backend finds with the oracle. */
    void check(Backend backend) throws BackendException {
        try (SearchTester corpus = new SearchTester(backend, Similarity.JACCARD)) {
            corpus.apply(LongStream.range(0, DOCUMENTS).mapToObj(i -> upsert(i, set())).toList());
            search(corpus);
            corpus.apply(
                    LongStream.range(0, DOCUMENTS / 2)
                            .mapToObj(i -> i % 3 == 0 ? upsert(i, set()) : delete(i))
                            .toList());
            search(corpus);
            corpus.apply(
                    random.longs(DOCUMENTS / 4, -DOCUMENTS, DOCUMENTS)
                            .mapToObj(i -> i % 5 == 0 ? delete(i) : upsert(i, set()))
                            .toList());
            search(corpus);
        }
    }

    /**
     * The same while a tile is sealed: the changes of each batch make some documents of it die, and insert as many.
     *
     * @param ofTile documents that fill a tile
     */
    void checkBesideSealing(Backend backend, int ofTile) throws BackendException {
        try (SearchTester corpus = new SearchTester(backend, Similarity.JACCARD)) {
            corpus.apply(LongStream.range(0, ofTile).mapToObj(i -> upsert(i, set())).toList());
            search(corpus);
            for (int batch = 0; batch < STEPS + 2; batch++) {
                corpus.apply(
                        random.longs(ofTile / 8 / STEPS, 0, ofTile)
                                .mapToObj(i -> i % 5 == 0 ? delete(i) : upsert(i, set()))
                                .toList());
                search(corpus);
            }
        }
    }

    /** The same while two tiles that lost most of their documents are merged. */
    void checkBesideMerging(Backend backend, int ofTile) throws BackendException {
        try (SearchTester corpus = new SearchTester(backend, Similarity.JACCARD)) {
            corpus.apply(
                    LongStream.range(0, 2L * ofTile + 1).mapToObj(i -> upsert(i, set())).toList());
            corpus.apply(
                    LongStream.range(0, 2L * ofTile)
                            .filter(i -> i % 8 < 5)
                            .mapToObj(i -> delete(i))
                            .toList());
            for (int batch = 0; batch < 3 * STEPS; batch++) {
                search(corpus);
                corpus.apply(
                        random.longs(ofTile / 8 / STEPS, 0, 2L * ofTile)
                                .mapToObj(i -> i % 3 == 0 ? delete(i) : upsert(i, set()))
                                .toList());
            }
            search(corpus);
        }
    }

    private void search(SearchTester corpus) throws BackendException {
        List<VersionedQuery> queries =
                random.longs(QUERIES, corpus.firstVersion(), corpus.version() + 1)
                        .sorted()
                        .mapToObj(version -> new VersionedQuery(query(), version))
                        .toList();
        corpus.check("seed=" + seed + ", distinct=" + distinct, List.of(queries), random);
    }

    private SetQuery query() {
        SetQuery query = SetQuery.of(1 + random.nextInt(200), set());
        return random.nextBoolean() ? query : query.withMinScore(random.nextInt(4) / 4.0);
    }

    /** Of elements that are frequent, and others. */
    private int[] set() {
        List<Integer> set = new ArrayList<>();
        IntStream.range(0, random.nextInt(20))
                .forEach(i -> set.add(random.nextInt(i % 4 == 0 ? 16 : distinct)));
        return set.stream().mapToInt(Integer::intValue).toArray();
    }
}
