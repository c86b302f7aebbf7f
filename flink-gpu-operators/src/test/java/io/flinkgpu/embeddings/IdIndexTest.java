package io.flinkgpu.embeddings;

import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Covers: IdIndex.
 */
class IdIndexTest {

    /** Nearly full at times, and with long runs that lose ids in the middle. */
    @RepeatedTest(20)
    void isAMap() throws IOException {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        int ids = 1 << 1 + random.nextInt(10);
        Map<Long, Long> expected = new HashMap<>();
        try (RootAllocator allocator = new RootAllocator();
                IdIndex index = new IdIndex(allocator, random.nextInt(20), Workers.ofCaller())) {
            for (int i = 0; i < 5_000; i++) {
                long id = random.nextInt(ids) * (long) (i % 2 == 0 ? 1 : -1);
                if (random.nextInt(3) > 0) {
                    long location = Location.of(1 + random.nextInt(3), random.nextLong() >>> 22);
                    index.put(id, location);
                    expected.put(id, location);
                } else if (expected.remove(id) != null) {
                    index.remove(id);
                }
                assertThat(index.find(id))
                        .as("seed=%d", seed)
                        .isEqualTo(expected.getOrDefault(id, Location.NONE));
            }
            assertThat(index.size()).isEqualTo(expected.size());
            for (long id = -ids; id <= ids; id++) {
                assertThat(index.find(id))
                        .as("seed=%d", seed)
                        .isEqualTo(expected.getOrDefault(id, Location.NONE));
            }
        }
    }

    /** Of threads that cannot be had. */
    @Test
    void memoryIsGivenBackAfterAnError() {
        try (RootAllocator allocator = new RootAllocator();
                Workers workers =
                        new Workers(
                                2,
                                task -> {
                                    throw new InternalError("no thread");
                                })) {
            assertThatThrownBy(() -> new IdIndex(allocator, 3_000_000, workers))
                    .isInstanceOf(InternalError.class);
            assertThat(allocator.getAllocatedMemory()).isZero();
        }
    }
}
