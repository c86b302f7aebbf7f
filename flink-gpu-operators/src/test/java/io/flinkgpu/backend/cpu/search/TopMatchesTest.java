package io.flinkgpu.backend.cpu.search;

import io.flinkgpu.api.search.SetMatches;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Covers: TopMatches.
 */
class TopMatchesTest {

    private record Match(int key, long id, int common, int size) {}

    private static final Comparator<Match> BEST_FIRST =
            Comparator.comparing(Match::key).reversed().thenComparing(Match::id);

    private final long seed = System.nanoTime();
    private final Random random = new Random(seed);

    @Test
    void hasTheBestInOrder() {
        for (int run = 0; run < 500; run++) {
            int k = 1 + random.nextInt(run % 10 == 0 ? 2_000 : 40);
            int keys = 1 + random.nextInt(random.nextBoolean() ? 5 : 1_000);
            int order = random.nextInt(3);
            boolean isForAll = random.nextInt(20) == 0;
            TopMatches top = new TopMatches(isForAll ? Integer.MAX_VALUE : k);
            List<Match> all = new ArrayList<>();
            int documents = random.nextInt(8 * k);
            for (int i = 0; i < documents; i++) {
                int key = order == 0 ? random.nextInt(keys) : order == 1 ? i : documents - i;
                long id = (random.nextBoolean() ? 1 : -1) * (long) i;
                all.add(new Match(key, id, random.nextInt(1_025), random.nextInt(1_025)));
            }
            for (int i = 0; i < documents; i++) {
                Match match = all.get(i);
                if (top.accepts(match.key(), match.id())) {
                    top.add(match.key(), match.id(), match.common(), match.size());
                }
                if (random.nextInt(10) == 0) {
                    long reached =
                            all.subList(0, i + 1).stream()
                                    .filter(m -> m.key() >= top.minKey())
                                    .count();
                    assertThat(top.minKey() == 0 || reached >= k).as("seed=%s", seed).isTrue();
                }
            }
            check(top, all, isForAll ? documents : Math.min(k, documents), run);
        }
    }

    private void check(TopMatches top, List<Match> all, int count, int run) {
        all.sort(BEST_FIRST);
        assertThat(top.count()).as("seed=%s, run=%s", seed, run).isEqualTo(count);
        long[] ids = new long[count];
        int[] pairs = new int[count];
        long[] sortedIds = top.sortedIds();
        top.write(ids, pairs);
        String where = "seed=" + seed + ", run=" + run;
        assertThat(sortedIds).as(where).hasSize(count).isSorted();
        for (int i = 0; i < count; i++) {
            Match match = all.get(i);
            assertThat(ids[i]).as(where).isEqualTo(match.id());
            assertThat(pairs[i]).as(where).isEqualTo(SetMatches.pair(match.common(), match.size()));
        }
    }
}
