package io.flinkgpu.sets;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Covers: Ranges.
 */
class RangesTest {

    @ParameterizedTest
    @CsvSource({"0, 1", "1, 1", "3, 1", "4, 1", "7, 2", "8, 2", "9, 2", "1000, 7", "5, 100"})
    void eachIndexIsInOneRange(int count, int atOnce) {
        int[] seen = new int[count];
        AtomicInteger calls = new AtomicInteger();
        Ranges.each(
                count,
                atOnce,
                (from, to) -> {
                    calls.incrementAndGet();
                    for (int i = from; i < to; i++) {
                        seen[i]++;
                    }
                });
        assertThat(seen).containsOnly(count == 0 ? new int[0] : new int[] {1});
        assertThat(calls).hasValueLessThanOrEqualTo(Math.max(1, (count + atOnce - 1) / atOnce));
    }

    /** Enough documents that all cores copy them and count their elements. */
    @Test
    void largeTilesHaveTheDocumentsOfSmallOnes() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        int documents = 20_000;
        int distinct = 300;
        Corpus corpus = new Corpus(new TileLimits(documents, 1 << 23, 1 << 22), 1_000);
        int[][] sets = new int[documents][];
        int[] frequencies = new int[distinct];
        corpus.begin();
        for (int id = 0; id < documents; id++) {
            sets[id] = random.ints(random.nextInt(100), 0, distinct).distinct().toArray();
            corpus.upsert(id, id, sets[id], sets[id].length);
            for (int element : sets[id]) {
                frequencies[element]++;
            }
        }
        // One more than the open tile has room for.
        corpus.upsert(documents, 0, new int[0], 0);
        corpus.finish();
        Tile tile = corpus.tiles().get(0);
        assertThat(tile.documents()).isEqualTo(documents);
        for (int slot = 0; slot < documents; slot++) {
            String where = "seed=" + seed + ", slot=" + slot;
            int[] set = sets[(int) tile.ids()[slot]];
            assertThat(tile.size(slot)).as(where).isEqualTo(set.length);
            assertThat(slot == 0 || tile.size(slot - 1) <= tile.size(slot)).as(where).isTrue();
            assertThat(tile.attributes()[slot]).as(where).isEqualTo((int) tile.ids()[slot]);
            int start = tile.starts()[slot];
            int[] numbers = Arrays.stream(set).map(corpus.numbers()::find).toArray();
            for (int i = 0; i < numbers.length; i++) {
                assertThat((int) tile.numbers()[start + i]).as(where).isEqualTo(numbers[i]);
            }
        }
        for (int element = 0; element < distinct; element++) {
            int number = corpus.numbers().find(element);
            assertThat(corpus.frequency(number))
                    .as("seed=%s", seed)
                    .isEqualTo(frequencies[element]);
        }
    }
}
