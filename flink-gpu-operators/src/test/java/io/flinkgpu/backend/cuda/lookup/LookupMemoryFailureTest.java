package io.flinkgpu.backend.cuda.lookup;

import io.flinkgpu.api.lookup.Bag;
import io.flinkgpu.api.lookup.Combiner;
import io.flinkgpu.api.lookup.ElementType;
import io.flinkgpu.api.lookup.EmbeddingTable;
import io.flinkgpu.api.lookup.LookupRequest;
import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.DeviceOutOfMemoryException;
import io.flinkgpu.backend.EmbeddingRows;
import io.flinkgpu.backend.plan.EmbeddingPlan;
import io.flinkgpu.backend.plan.EmbeddingTablesPlan;
import io.flinkgpu.column.ColumnBatch;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.memory.util.MemoryUtil;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Where there was no device memory, the batch is tried again: nothing is left half done.
 *
 * <p>Covers: LookupRun, VectorCache.
 */
class LookupMemoryFailureTest {

    /** In the order in which a run makes its rooms. */
    private static final int UNIQUE_KEYS = 2;

    private static final int UNIQUE_LINES = 3;

    private static final EmbeddingTable TABLE = EmbeddingTable.of("t", 8, ElementType.F32);

    /** What a run of its second batch has written to memory that it gave back. */
    private static final long KEY_OF_SECOND_BATCH = 2L << 44 | 1;

    private final BufferAllocator allocator = new RootAllocator();

    @AfterEach
    void close() {
        allocator.close();
    }

    @Test
    void keysOfOthersAreForgottenThoughThereWasNoMemoryForLines() throws Exception {
        EmbeddingPlan plan =
                new EmbeddingPlan(
                        new EmbeddingTablesPlan(List.of(TABLE), 1 << 20, 1 << 20, "nowhere"));
        try (HostQueue ofTables = new HostQueue(allocator, 0);
                HostQueue queue = new HostQueue(allocator, KEY_OF_SECOND_BATCH);
                DeviceTables tables =
                        new DeviceTables(
                                plan.tables(), ofTables, ofTables, allocator, LookupPace.STANDARD);
                LookupRun run = new LookupRun(queue, tables, 1, allocator, null)) {
            start(run, plan, 10);
            queue.room(UNIQUE_LINES).failNext();
            assertThatThrownBy(() -> start(run, plan, 1_000))
                    .isInstanceOf(DeviceOutOfMemoryException.class);
            start(run, plan, 1_000);
            assertThat(words(queue.room(UNIQUE_KEYS).address(), 2_048)).containsOnly(0);
        }
    }

    private void start(LookupRun run, EmbeddingPlan plan, int ids) throws BackendException {
        LookupRequest request = LookupRequest.of(Bag.of("t", Combiner.SUM, new long[ids]));
        try (ColumnBatch batch = EmbeddingRows.requests(allocator, plan, List.of(request))) {
            run.start(LookupInput.of(batch));
        }
    }

    private static long[] words(long address, int count) {
        long[] words = new long[count];
        for (int i = 0; i < count; i++) {
            words[i] = MemoryUtil.getLong(address + (long) Long.BYTES * i);
        }
        return words;
    }

    @Test
    void vectorsKeepTheirPlacesThoughThereWasNoMemoryToChangeThem() throws Exception {
        try (HostQueue queue = new HostQueue(allocator, 0);
                Puts puts = new Puts(queue, allocator, 32);
                VectorCache cache =
                        new VectorCache(VectorShape.of(TABLE), queue, new Budget(1 << 10))) {
            cache.open(4);
            cache.locate(8, puts);
            queue.room(0).failNext();
            assertThatThrownBy(() -> cache.swap(1, 6, puts))
                    .isInstanceOf(DeviceOutOfMemoryException.class);
            assertThat(cache.location(1)).isEqualTo(1);
            assertThat(cache.location(6)).isEqualTo(VectorCache.NOWHERE);
            cache.swap(1, 6, puts);
            assertThat(cache.location(1)).isEqualTo(VectorCache.NOWHERE);
            assertThat(cache.location(6)).isEqualTo(1);
        }
    }
}
