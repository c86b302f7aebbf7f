package io.flinkgpu.sets;

import org.junit.jupiter.api.Test;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Covers: sets.Places.
 */
class PlacesTest {

    @Test
    void isAMap() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        Places places = new Places();
        Map<Long, Long> expected = new HashMap<>();
        for (int i = 0; i < 200_000; i++) {
            // Now they become more, now fewer.
            boolean grows = i / 20_000 % 2 == 0;
            long id = random.nextInt(10_000) * (random.nextBoolean() ? 1L : 1L << 40);
            long old = expected.getOrDefault(id, Places.NONE);
            assertThat(places.find(id)).as("seed=%s, step=%s", seed, i).isEqualTo(old);
            if (random.nextInt(4) == 0 == grows) {
                assertThat(places.remove(id)).as("seed=%s, step=%s", seed, i).isEqualTo(old);
                expected.remove(id);
            } else {
                long place = Places.place(1 + random.nextInt(1 << 30), random.nextInt(1 << 16));
                assertThat(places.put(id, place)).as("seed=%s, step=%s", seed, i).isEqualTo(old);
                expected.put(id, place);
            }
            assertThat(places.count()).as("seed=%s, step=%s", seed, i).isEqualTo(expected.size());
        }
        expected.forEach((id, place) -> assertThat(places.find(id)).isEqualTo(place));
    }

    @Test
    void aPlaceIsATileAndASlot() {
        long place = Places.place(Integer.MAX_VALUE, 65_535);
        assertThat(Places.tile(place)).isEqualTo(Integer.MAX_VALUE);
        assertThat(Places.slot(place)).isEqualTo(65_535);
        assertThat(Places.place(1, 0)).isNotEqualTo(Places.NONE);
    }
}
