package io.flinkgpu.sets;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Covers: Corpus, Documents, Tile, CorpusUpdate, TileBuild, OpenTile.
 */
class CorpusTest {

    private static final int[] NO_ELEMENTS = {};

    /** What a document was from one change on, and until another one. */
    private static final class Life {

        private final long id;
        private final int attributes;
        private final int[] elements;
        private final long born;
        private long died = Documents.LIVES;

        Life(long id, int attributes, int[] elements, long born) {
            this.id = id;
            this.attributes = attributes;
            this.elements = elements;
            this.born = born;
        }

        private boolean isVisible(long version) {
            return born <= version && version < died;
        }

        private String text() {
            return id + "/" + attributes + "/" + Arrays.toString(elements);
        }
    }

    @Test
    void eachVersionSeesItsDocuments() {
        int grown = 0;
        for (int run = 0; run < 12; run++) {
            long seed = System.nanoTime();
            Random random = new Random(seed);
            TileLimits limits =
                    new TileLimits(
                            1 + random.nextInt(40),
                            300 + random.nextInt(600),
                            300 + random.nextInt(300));
            int maxNumbers = 20 + random.nextInt(80);
            int beside = run % 3;
            Corpus corpus = new Corpus(limits, maxNumbers, beside);
            boolean hasGrown = check(seed, random, corpus, beside, limits);
            assertThat(hasGrown && beside == 0).as("seed=%s", seed).isFalse();
            grown += hasGrown ? 1 : 0;
        }
        assertThat(grown).isPositive();
    }

    /** Returns whether a tile was sealed in steps. */
    private static boolean check(
            long seed, Random random, Corpus corpus, int beside, TileLimits limits) {
        List<Life> lives = new ArrayList<>();
        Map<Long, Life> living = new HashMap<>();
        Mirror mirror = new Mirror();
        int ids = 1 + random.nextInt(300);
        long change = 0;
        boolean hasGrown = false;
        List<Long> versions = new ArrayList<>();
        for (int batch = 0; batch < 120; batch++) {
            versions.add(change);
            long oldest = versions.get(Math.max(0, batch - beside));
            int deletes = random.nextInt(8);
            corpus.begin();
            for (int row = random.nextInt(batch % 2 == 0 ? 60 : 3); row > 0; row--) {
                long id = random.nextInt(ids) - 50;
                change++;
                Life old = living.remove(id);
                if (old != null) {
                    old.died = change;
                }
                if (random.nextInt(8) < deletes) {
                    corpus.delete(id);
                } else {
                    Life life = new Life(id, random.nextInt(), elements(random), change);
                    // The array may be longer than the set.
                    int[] longer = Arrays.copyOf(life.elements, life.elements.length + 3);
                    corpus.upsert(id, life.attributes, longer, life.elements.length);
                    lives.add(life);
                    living.put(id, life);
                }
            }
            CorpusUpdate update = corpus.finish();
            hasGrown |= !update.growing().isEmpty();
            mirror.apply(update);
            String where = "seed=" + seed + ", batch=" + batch;
            assertThat(corpus.changes()).as(where).isEqualTo(change);
            assertThat(corpus.documents()).as(where).isEqualTo(living.size());
            checkTiles(where, corpus, limits, beside == 0);
            mirror.check(where, corpus);
            lives.removeIf(life -> life.died <= oldest);
            assertThat(corpus.tombstones())
                    .as(where)
                    .isEqualTo(
                            all(corpus).stream()
                                    .mapToLong(tile -> tile.documents() - tile.live())
                                    .sum());
            for (long version = oldest; version <= change; version++) {
                long seen = version;
                assertThat(visible(corpus, version))
                        .as("%s, version=%s", where, version)
                        .containsExactlyInAnyOrderElementsOf(
                                lives.stream()
                                        .filter(life -> life.isVisible(seen))
                                        .map(Life::text)
                                        .toList());
            }
        }
        return hasGrown;
    }

    /** Small sets, some of them of elements that are too many for numbers, and a few large ones. */
    private static int[] elements(Random random) {
        int size = random.nextInt(40) == 0 ? 200 + random.nextInt(100) : random.nextInt(12);
        int bound = size > 100 ? 1_000 : random.nextInt(5) == 0 ? 90 : 25;
        return random.ints(0, bound).distinct().limit(Math.min(size, bound)).sorted().toArray();
    }

    private static List<Documents> all(Corpus corpus) {
        List<Documents> all = new ArrayList<>(corpus.tiles());
        all.addAll(corpus.full());
        all.add(corpus.narrow());
        all.add(corpus.wide());
        return all;
    }

    private static List<String> visible(Corpus corpus, long version) {
        int[] elementOf = elementsByNumber(corpus);
        List<String> found = new ArrayList<>();
        for (Documents tile : all(corpus)) {
            for (int slot = 0; slot < tile.documents(); slot++) {
                if (tile.isVisible(slot, version)) {
                    int[] elements = new int[tile.size(slot)];
                    for (int i = 0; i < elements.length; i++) {
                        int at = tile.starts()[slot] + i;
                        elements[i] =
                                tile.isNarrow()
                                        ? elementOf[tile.numbers()[at] & 0xffff]
                                        : tile.elements()[at];
                    }
                    Arrays.sort(elements);
                    long id = tile.ids()[slot];
                    found.add(new Life(id, tile.attributes()[slot], elements, 0).text());
                }
            }
        }
        return found;
    }

    private static int[] elementsByNumber(Corpus corpus) {
        int[] elements = new int[corpus.numbers().count()];
        for (int element = 0; element < 1_000; element++) {
            int number = corpus.numbers().find(element);
            if (number >= 0) {
                elements[number] = element;
            }
        }
        return elements;
    }

    private static void checkTiles(
            String where, Corpus corpus, TileLimits limits, boolean isAtOnce) {
        int live = 0;
        int[] frequencies = new int[100];
        for (Documents tile : all(corpus)) {
            int liveHere = 0;
            int smallest = Integer.MAX_VALUE;
            int largest = 0;
            for (int slot = 0; slot < tile.documents(); slot++) {
                liveHere += tile.died()[slot] == Documents.LIVES ? 1 : 0;
                smallest = Math.min(smallest, tile.size(slot));
                largest = Math.max(largest, tile.size(slot));
                if (tile instanceof Tile && slot > 0) {
                    assertThat(tile.size(slot))
                            .as(where)
                            .isGreaterThanOrEqualTo(tile.size(slot - 1));
                }
            }
            assertThat(tile.live()).as(where).isEqualTo(liveHere);
            assertThat(tile.largest()).as(where).isEqualTo(largest);
            assertThat(tile.smallest()).as(where).isEqualTo(tile.documents() == 0 ? 0 : smallest);
            assertThat(tile.documents()).as(where).isLessThanOrEqualTo(limits.documents());
            assertThat(tile.allElements())
                    .as(where)
                    .isLessThanOrEqualTo(limits.elements(tile.isNarrow()));
            live += liveHere;
            if (tile instanceof Tile && tile.isNarrow()) {
                for (int i = 0; i < tile.allElements(); i++) {
                    frequencies[tile.numbers()[i]]++;
                }
            }
        }
        assertThat(live).as(where).isEqualTo(corpus.documents());
        for (int number = 0; number < corpus.numbers().count(); number++) {
            assertThat(corpus.frequency(number))
                    .as(where)
                    .isBetween(
                            frequencies[number],
                            isAtOnce ? frequencies[number] : Integer.MAX_VALUE);
        }
    }

    /** A copy of the tiles' ids and deaths that is only changed by updates. */
    private static final class Mirror {

        private record Copy(List<Long> ids, List<Long> died) {}

        private final Map<Integer, Copy> tiles = new HashMap<>();
        private final Map<Integer, List<Long>> growing = new HashMap<>();

        private void apply(CorpusUpdate update) {
            for (int number : update.dropped()) {
                assertThat(tiles.remove(number)).isNotNull();
            }
            Set<Integer> fresh = new HashSet<>();
            for (Tile tile : update.added()) {
                assertThat(tiles.put(tile.number(), new Copy(new ArrayList<>(), new ArrayList<>())))
                        .isNull();
                copy(tile, 0);
                fresh.add(tile.number());
                List<Long> grown = growing.getOrDefault(tile.number(), List.of());
                assertThat(tiles.get(tile.number()).ids.subList(0, grown.size())).isEqualTo(grown);
            }
            growing.clear();
            for (Tile tile : update.growing()) {
                assertThat(tile.documents()).isLessThan(tile.wholeDocuments());
                growing.put(
                        tile.number(),
                        Arrays.stream(tile.ids(), 0, tile.documents()).boxed().toList());
            }
            for (CorpusUpdate.Appended appended : update.appended()) {
                OpenTile tile = appended.tile();
                if (appended.firstSlot() == 0) {
                    tiles.put(tile.number(), new Copy(new ArrayList<>(), new ArrayList<>()));
                }
                copy(tile, appended.firstSlot());
            }
            for (int i = 0; i < update.deaths(); i++) {
                Copy copy = tiles.get(update.diedIn(i));
                if (copy != null && !fresh.contains(update.diedIn(i))) {
                    copy.died.set(update.diedSlot(i), update.diedBy(i));
                }
            }
        }

        private void copy(Documents tile, int firstSlot) {
            Copy copy = tiles.get(tile.number());
            assertThat(copy.ids).hasSize(firstSlot);
            for (int slot = firstSlot; slot < tile.documents(); slot++) {
                copy.ids.add(tile.ids()[slot]);
                copy.died.add(tile.died()[slot]);
            }
        }

        private void check(String where, Corpus corpus) {
            Set<Integer> numbers = new HashSet<>();
            for (Documents tile : all(corpus)) {
                if (tile.documents() > 0) {
                    numbers.add(tile.number());
                    Copy copy = tiles.get(tile.number());
                    assertThat(copy).as(where).isNotNull();
                    for (int slot = 0; slot < tile.documents(); slot++) {
                        assertThat(copy.ids.get(slot)).as(where).isEqualTo(tile.ids()[slot]);
                        assertThat(copy.died.get(slot)).as(where).isEqualTo(tile.died()[slot]);
                    }
                    assertThat(copy.ids).as(where).hasSize(tile.documents());
                }
            }
            assertThat(tiles.keySet()).as(where).isEqualTo(numbers);
        }
    }

    @Test
    void sparseTilesAreMerged() {
        TileLimits limits = new TileLimits(100, 1 << 16, 1 << 16);
        Corpus corpus = new Corpus(limits, 100);
        corpus.begin();
        for (int id = 0; id < 10_000; id++) {
            corpus.upsert(id, 0, new int[] {id % 50, 50 + id % 50}, 2);
        }
        corpus.finish();
        assertThat(corpus.tiles()).hasSize(99);
        corpus.begin();
        for (int id = 0; id < 10_000; id++) {
            if (id % 10 != 0) {
                corpus.delete(id);
            }
        }
        corpus.finish();
        // Nobody can ask any more for what is not there.
        corpus.begin();
        CorpusUpdate update = corpus.finish();
        assertThat(corpus.tiles()).hasSize(10);
        assertThat(corpus.tiles()).allMatch(tile -> tile.documents() == tile.live());
        assertThat(update.added()).hasSize(10);
        assertThat(update.dropped()).hasSize(99);
        assertThat(corpus.documents()).isEqualTo(1_000);
    }

    @Test
    void tilesAreMergedInStepsBesideQueries() {
        Corpus corpus = new Corpus(new TileLimits(100, 1 << 16, 1 << 16), 100, 1);
        corpus.begin();
        for (int id = 0; id < 201; id++) {
            corpus.upsert(id, 0, new int[] {id % 50}, 1);
        }
        corpus.finish();
        corpus.begin();
        for (int id = 0; id < 200; id++) {
            if (id % 10 < 6) {
                corpus.delete(id);
            }
        }
        corpus.finish();
        int grown = 0;
        long exchanged = 0;
        for (int batch = 0; batch < 50; batch++) {
            corpus.begin();
            corpus.delete(10L * (batch % 20) + 6);
            long before = corpus.bytes();
            CorpusUpdate update = corpus.finish();
            if (!update.added().isEmpty()) {
                exchanged = corpus.bytes();
                assertThat(exchanged).as("its sources are still there").isGreaterThan(before);
            }
            grown += update.growing().size();
            assertThat(update.dropped()).hasSize(update.added().isEmpty() ? 0 : 2);
            assertThat(corpus.documents()).isEqualTo(Math.max(61, 80 - batch));
            assertThat(all(corpus).stream().mapToInt(Documents::live).sum())
                    .isEqualTo(corpus.documents());
        }
        assertThat(grown).isBetween(8, 11);
        assertThat(corpus.bytes()).as("its sources are gone").isLessThan(exchanged);
        assertThat(corpus.tiles()).hasSize(1);
        assertThat(corpus.frequency(corpus.numbers().find(7))).isEqualTo(4);
        assertThat(corpus.frequency(corpus.numbers().find(1))).isZero();
    }

    @Test
    void openTilesHaveArraysInTurns() {
        Corpus corpus = new Corpus(new TileLimits(1_000, 1 << 16, 1 << 16), 100, 1);
        Set<Integer> numbers = new HashSet<>();
        Set<Integer> arrays = new HashSet<>();
        for (int id = 0; id < 20_000; ) {
            corpus.begin();
            for (int i = 0; i < 100; i++, id++) {
                corpus.upsert(id, 0, new int[] {id % 50}, 1);
            }
            corpus.finish();
            if (id % 1_000 == 900) {
                numbers.add(corpus.narrow().number());
                arrays.add(System.identityHashCode(corpus.narrow().ids()));
            }
        }
        assertThat(numbers).hasSize(20);
        // That of the tile that is being sealed, and that of the one that is filled meanwhile.
        assertThat(arrays).hasSize(2);
    }

    @Test
    void oneDocumentThatIsReplacedForEverTakesNoMemory() {
        Corpus corpus = new Corpus(new TileLimits(64, 1 << 10, 1 << 10), 100);
        for (int i = 0; i < 2_000; i++) {
            corpus.begin();
            corpus.upsert(7, i, NO_ELEMENTS, 0);
            corpus.finish();
        }
        assertThat(corpus.tiles()).hasSizeLessThanOrEqualTo(1);
        assertThat(corpus.documents()).isEqualTo(1);
        assertThat(corpus.bytes()).isLessThan(40_000);
    }
}
