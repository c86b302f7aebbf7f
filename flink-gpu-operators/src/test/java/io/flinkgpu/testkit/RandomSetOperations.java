package io.flinkgpu.testkit;

import io.flinkgpu.api.search.SetChange;
import io.flinkgpu.api.search.SetQuery;
import io.flinkgpu.api.search.Similarity;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * Changes and queries of a random kind: few elements or more than any table of them holds, small sets or the
 * largest, all equally frequent or not; with copies, so that there are good matches and ties. Of one seed
 * always the same.
 */
public final class RandomSetOperations {

    private static final int[] DISTINCT = {1, 4, 30, 500, 20_000, 300_000};
    private static final int[] SIZES = {2, 8, 40, 130, 256, 300, 1_024};
    private static final int[] IDS = {3, 60, 1_000, 20_000};
    private static final long[] RARE_IDS = {
        Long.MIN_VALUE, Long.MAX_VALUE, -1, 0, 1L << 32, -1L << 32, Integer.MIN_VALUE
    };
    private static final int KEPT = 16;

    private final long seed;
    private final Random random;
    private final int distinct;
    private final int maxSize;
    private final int ids;
    private final double skew;
    private final int spread;

    /** Sets that were made, for others to be like them. */
    private final int[][] sets = new int[KEPT][0];

    public RandomSetOperations(long seed) {
        this.seed = seed;
        random = new Random(seed);
        distinct = DISTINCT[random.nextInt(DISTINCT.length)];
        maxSize = SIZES[random.nextInt(SIZES.length)];
        ids = IDS[random.nextInt(IDS.length)];
        skew = 1 + random.nextInt(3);
        spread = random.nextBoolean() ? 1 : 0x9E3779B1;
    }

    /** For choices that go with these operations. */
    public Random random() {
        return random;
    }

    /** One that these operations are good for: each is. */
    public Similarity similarity() {
        return Similarity.values()[Math.floorMod(seed, Similarity.values().length)];
    }

    /** How many changes make a corpus of these sets that is worth a search, and is searched soon. */
    public int usualChanges() {
        return Math.min(Math.max(100, 2 * ids), 400_000 / maxSize);
    }

    /** Insertions, replacements and deletions, some of them of documents that were never there. */
    public List<SetChange> changes(int count) {
        List<SetChange> changes = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            changes.add(change());
        }
        return changes;
    }

    public SetChange change() {
        long id = id();
        if (random.nextInt(6) == 0) {
            return SetChange.delete(id);
        }
        SetChange change = SetChange.upsert(id, set());
        return random.nextBoolean() ? change : change.withAttributes(attributes());
    }

    private long id() {
        return random.nextInt(20) == 0
                ? RARE_IDS[random.nextInt(RARE_IDS.length)]
                : (random.nextInt(ids) - ids / 2) * (spread == 1 ? 1L : 0x9E3779B97F4A7C15L);
    }

    /**
     * Queries in the order of their versions.
     *
     * @param first the least version, and {@code last} the greatest
     */
    public List<VersionedQuery> queries(int count, long first, long last) {
        long[] versions =
                random.longs(count, first, last + 1)
                        .map(v -> random.nextInt(3) == 0 ? last : v)
                        .sorted()
                        .toArray();
        List<VersionedQuery> queries = new ArrayList<>();
        for (long version : versions) {
            queries.add(new VersionedQuery(query(), version));
        }
        return queries;
    }

    public SetQuery query() {
        SetQuery query = SetQuery.of(k(), set()).withZero(random.nextInt(4) == 0);
        if (random.nextInt(3) == 0) {
            query = query.withMinScore(minScore(query.elements().length));
        }
        return random.nextInt(4) == 0 ? query.withAttributes(attributes(), attributes()) : query;
    }

    private int k() {
        return switch (random.nextInt(8)) {
            case 0 -> 1;
            case 1 -> 1_023 + random.nextInt(3);
            case 2 -> 100_000 + random.nextInt(1_000);
            case 3 -> Integer.MAX_VALUE;
            default -> 1 + random.nextInt(100);
        };
    }

    /** A score that documents can have, or the next number above or below it, or one that all have or none. */
    private double minScore(int querySize) {
        int q = Math.max(1, querySize);
        int d = 1 + random.nextInt(random.nextBoolean() ? maxSize : q);
        double score = similarity().score(1 + random.nextInt(Math.min(q, d)), q, d);
        return switch (random.nextInt(8)) {
            case 0 -> Math.nextUp(score);
            case 1 -> Math.nextDown(score);
            case 2 -> random.nextBoolean() ? 0.0 : -0.0;
            case 3 -> random.nextBoolean() ? -1 : 1;
            case 4 -> random.nextBoolean() ? Double.MIN_VALUE : Double.NEGATIVE_INFINITY;
            case 5 -> random.nextBoolean() ? Math.nextUp(1.0) : Double.POSITIVE_INFINITY;
            default -> score;
        };
    }

    private int attributes() {
        return switch (random.nextInt(4)) {
            case 0 -> 0;
            case 1 -> 1 << random.nextInt(2);
            case 2 -> Integer.MIN_VALUE | random.nextInt(4);
            default -> random.nextInt(4);
        };
    }

    /** Elements in any order, some of them twice: new ones, or most of an earlier set's. */
    public int[] set() {
        int kept = random.nextInt(KEPT);
        int[] set =
                switch (random.nextInt(8)) {
                    case 0 -> new int[0];
                    case 1 -> sets[kept].clone();
                    case 2, 3, 4 -> like(sets[kept]);
                    default -> elements(random.nextInt(maxSize + 1));
                };
        sets[kept] = set;
        if (set.length > 0 && set.length < maxSize && random.nextInt(4) == 0) {
            set = Arrays.copyOf(set, set.length + 1);
            set[set.length - 1] = set[0];
        }
        return set;
    }

    private int[] like(int[] set) {
        int share = random.nextInt(10);
        int[] kept = Arrays.stream(set).filter(element -> random.nextInt(10) >= share).toArray();
        int[] others =
                elements(
                        random.nextInt(maxSize - Math.min(maxSize, kept.length) + 1)
                                >> random.nextInt(4));
        int[] both = Arrays.copyOf(kept, kept.length + others.length);
        System.arraycopy(others, 0, both, kept.length, others.length);
        return both;
    }

    private int[] elements(int count) {
        int[] elements = new int[count];
        Arrays.setAll(elements, i -> element());
        return elements;
    }

    /** The most frequent ones are the least and the greatest number. */
    private int element() {
        int number = (int) (distinct * Math.pow(random.nextDouble(), skew));
        return number == 1 ? -1 : number * spread;
    }

    /** What is to be said of a failure. */
    @Override
    public String toString() {
        return "seed=" + seed + ", distinct=" + distinct + ", maxSize=" + maxSize + ", ids=" + ids;
    }
}
