package io.flinkgpu.backend;

import io.flinkgpu.api.search.SetChange;
import io.flinkgpu.api.search.SetQuery;
import io.flinkgpu.api.search.Similarity;
import io.flinkgpu.testkit.VersionedQuery;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import static io.flinkgpu.api.search.SetChange.delete;
import static io.flinkgpu.api.search.SetChange.upsert;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * What every backend finds in a corpus of many tiles, each of up to 65,536 documents.
 *
 * <p>Covers: SearchPlan.
 */
public abstract class LargeSearchContract extends OpenBackend {

    private static final int BATCH_ROWS = 10_000;

    private final long seed = Long.getLong("search.seed", System.nanoTime());
    private final Random random = new Random(seed);
    private SearchTester corpus;

    @BeforeEach
    void openCorpus() throws Exception {
        corpus = new SearchTester(backend, Similarity.JACCARD);
    }

    @AfterEach
    void closeAll() {
        if (corpus != null) {
            corpus.close();
        }
    }

    /** Few different elements, and more than a table of them holds. */
    @ParameterizedTest
    @ValueSource(ints = {300, 1_000_000})
    void tilesAreFilledAndMerged(int distinct) throws Exception {
        int documents = 200_000;
        apply(LongStream.range(0, documents).mapToObj(i -> upsert(i, set(distinct))).toList());
        checkQueries("filled", distinct);
        apply(
                LongStream.range(0, 140_000)
                        .filter(i -> i % 64 != 0)
                        .mapToObj(i -> i % 3 == 0 ? upsert(i, set(distinct)) : delete(i))
                        .toList());
        checkQueries("most deleted", distinct);
        apply(
                random.longs(60_000, -documents, documents)
                        .mapToObj(i -> i % 5 == 0 ? delete(i) : upsert(i, set(distinct)))
                        .toList());
        checkQueries("filled again", distinct);
        apply(LongStream.range(-documents, documents).mapToObj(SetChange::delete).toList());
        assertThat(corpus.find(SetQuery.of(9, 0).withZero(true))).containsExactly("[]");
        apply(LongStream.range(0, 70_000).mapToObj(i -> upsert(i, set(distinct))).toList());
        checkQueries("filled anew", distinct);
    }

    private void apply(List<SetChange> changes) throws BackendException {
        for (int from = 0; from < changes.size(); from += BATCH_ROWS) {
            corpus.apply(changes.subList(from, Math.min(changes.size(), from + BATCH_ROWS)));
        }
    }

    private void checkQueries(String what, int distinct) throws BackendException {
        long last = corpus.version();
        long first = corpus.firstVersion();
        List<List<VersionedQuery>> batches = new ArrayList<>();
        for (int queries : new int[] {1, 3, 33}) {
            long[] versions = random.longs(queries, first, last + 1).sorted().toArray();
            first = versions[queries - 1];
            batches.add(
                    Arrays.stream(versions)
                            .mapToObj(version -> new VersionedQuery(query(distinct), version))
                            .toList());
        }
        corpus.check("seed=" + seed + ", distinct=" + distinct + ", " + what, batches, random);
    }

    private SetQuery query(int distinct) {
        SetQuery query = SetQuery.of(1 + random.nextInt(200), set(distinct));
        return random.nextBoolean() ? query : query.withMinScore(random.nextInt(4) / 4.0);
    }

    /** Of some elements that are frequent, and others. */
    private int[] set(int distinct) {
        return random.ints(random.nextInt(12))
                .map(i -> (i & 3) == 0 ? i >>> 2 & 15 : Math.floorMod(i, distinct))
                .toArray();
    }

    /** Each of the documents is as good as any other, so all of them are candidates. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void oneElementIsInEveryDocument(boolean isWide) throws Exception {
        int documents = 300_000;
        int[] set = isWide ? IntStream.range(0, 257).toArray() : new int[] {7};
        List<SetChange> changes = new ArrayList<>();
        for (int i = 0; i < (isWide ? documents / 10 : documents); i++) {
            changes.add(upsert(i * 0x9E3779B97F4A7C15L, set).withAttributes(i));
        }
        apply(changes);
        SetQuery[] queries =
                IntStream.of(1, 100, 1_024, 1_025, 5_000, Integer.MAX_VALUE)
                        .mapToObj(k -> SetQuery.of(k, 7, 8))
                        .toArray(SetQuery[]::new);
        assertThat(corpus.find(queries)).doesNotContain("[]");
        SetQuery[] many = new SetQuery[300];
        Arrays.setAll(many, i -> queries[i % 3]);
        assertThat(corpus.find(many)).doesNotContain("[]");
        SetQuery none = SetQuery.of(2_000, 8_000_000);
        assertThat(corpus.find(none, none.withZero(true), none.withZero(true).withMinScore(0.1)))
                .element(1)
                .isNotEqualTo("[]");
        SetQuery some = SetQuery.of(1_000, 7).withAttributes(0xFFF, 77);
        assertThat(corpus.find(some, some.withZero(true), some.withMinScore(0.003)))
                .doesNotContain("[]");
        apply(changes.subList(0, 12_345).stream().map(c -> delete(c.id())).toList());
        corpus.find(queries[1], queries[3]);
    }

    /** Of whatever part of them a threshold is, others are above it, or none are. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void scoresRiseOrFallToTheLast(boolean isRising) throws Exception {
        int documents = 70_000;
        List<SetChange> changes = new ArrayList<>();
        for (int i = 0; i < documents; i++) {
            int common = (int) ((isRising ? i : documents - 1 - i) * 100L / documents);
            int size = common + random.nextInt(1 + random.nextInt(90));
            changes.add(upsert(i, IntStream.range(100 - common, 100 - common + size).toArray()));
        }
        apply(changes);
        corpus.find(
                IntStream.of(1, 10, 100, 1_000, 3_000)
                        .mapToObj(k -> SetQuery.of(k, IntStream.range(0, 100).toArray()))
                        .toArray(SetQuery[]::new));
        apply(changes.stream().filter(c -> c.id() % 100 > 7).map(c -> delete(c.id())).toList());
        corpus.find(SetQuery.of(100, IntStream.range(3, 103).toArray()));
    }

    /** Twice as much as there is room for, most of it replaced or deleted. */
    @Test
    void whatWasReplacedTakesNoRoomForever() throws Exception {
        corpus.close();
        corpus = new SearchTester(backend, Similarity.MAX, 128L << 20);
        int documents = 3_000;
        int[] set = IntStream.range(1 << 20, (1 << 20) + 1_000).toArray();
        long written = 0;
        for (int round = 0; written < 256L << 20; round++) {
            set[0] = round;
            corpus.apply(
                    LongStream.range(0, documents)
                            .mapToObj(i -> i % 7 == 6 ? delete(i) : upsert(i, set))
                            .toList());
            written += (long) documents * set.length * Integer.BYTES;
        }
        assertThat(corpus.find(SetQuery.of(2, set))).containsExactly("[0:1000:1000 1:1000:1000]");
    }
}
