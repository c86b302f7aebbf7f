package io.flinkgpu.backend.cuda.lookup;

import io.flinkgpu.embeddings.Workers;

import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.memory.util.MemoryUtil;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Covers: IdTable, LookupAbi.
 */
class IdTableTest {

    private static final int BYTES = LookupAbi.LOOKUP_SLOT_BYTES;

    private final RootAllocator allocator = new RootAllocator();

    @AfterEach
    void closeAllocator() {
        allocator.close();
    }

    /** Changed slots are all that a copy needs to stay equal, however ids come and go. */
    @Test
    void aCopyThatGetsTheChangedSlotsIsTheSame() throws IOException {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        Map<Long, Integer> oracle = new HashMap<>();
        try (IdTable table = new IdTable(allocator, new IdHash(seed, 5), 0, Workers.ofCaller())) {
            byte[] copy = bytes(table);
            int next = 0;
            for (int round = 0; round < 3_000; round++) {
                long id = random.nextInt(400) - 200;
                BitSet changed = new BitSet();
                boolean isSame = true;
                if (oracle.containsKey(id)) {
                    int removed = table.remove(id, changed::set);
                    assertThat(removed).as("seed=%d", seed).isEqualTo(oracle.remove(id));
                } else {
                    oracle.put(id, next);
                    isSame = table.add(id, next++, changed::set);
                }
                copy = isSame ? withChanges(copy, table, changed) : bytes(table);
                assertThat(copy).as("seed=%d, round=%d", seed, round).isEqualTo(bytes(table));
                assertThat(table.size()).isEqualTo(oracle.size());
                assertThat(2 * BYTES * table.size()).isLessThanOrEqualTo(table.bytes());
            }
            for (long id = -201; id <= 200; id++) {
                assertThat(table.find(id))
                        .as("seed=%d, id=%d", seed, id)
                        .isEqualTo(oracle.getOrDefault(id, IdTable.NONE));
            }
            assertThat(table.remove(1_000, slot -> {})).isEqualTo(IdTable.NONE);
        }
    }

    private static byte[] bytes(IdTable table) {
        byte[] bytes = new byte[(int) table.bytes()];
        MemoryUtil.copyFromMemory(table.address(), bytes, 0, bytes.length);
        return bytes;
    }

    private static byte[] withChanges(byte[] copy, IdTable table, BitSet changed) {
        byte[] all = bytes(table);
        changed.stream()
                .forEach(slot -> System.arraycopy(all, BYTES * slot, copy, BYTES * slot, BYTES));
        return copy;
    }
}
