package io.flinkgpu.groups;

import io.flinkgpu.api.Aggregate;
import io.flinkgpu.api.ColumnType;
import io.flinkgpu.api.ValueSpec;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Covers: KeyBatch, KeyWords, KeyCodec.
 */
class KeyBatchTest {

    private static final long SEED = Long.getLong("groups.seed", System.nanoTime());

    private static final List<ValueSpec> VALUES =
            List.of(new ValueSpec("n", ColumnType.LONG, List.of(Aggregate.COUNT)));

    private final Random random = new Random(SEED);
    private final KeyBatch keys = new KeyBatch();

    @Test
    void eachKeyFindsItsGroup() {
        Map<String, Integer> groups = new HashMap<>();
        try (BufferAllocator allocator = new RootAllocator();
                ArrowBuf text = allocator.buffer(KeyBatch.MAX_KEYS * 64L);
                GroupTable table = new GroupTables(allocator, VALUES).newTable()) {
            for (int round = 0; round < 200; round++) {
                List<String> batch = batch(text, 1 + random.nextInt(KeyBatch.MAX_KEYS));
                keys.touch(table);
                for (int i = 0; i < batch.size(); i++) {
                    String key = batch.get(i);
                    assertThat(keys.textHash(i)).isEqualTo(key.hashCode());
                    assertThat(keys.find(table, i))
                            .as("%s, seed=%d", key, SEED)
                            .isEqualTo(groups.getOrDefault(key, -1));
                    int group = keys.group(table, i, 3);
                    assertThat(groups.computeIfAbsent(key, k -> group)).isEqualTo(group);
                    KeyBytes copied = new KeyBytes();
                    keys.copy(i, copied);
                    assertThat(new String(copied.copy(), StandardCharsets.UTF_8)).isEqualTo(key);
                }
            }
            assertThat(table.size()).isEqualTo(groups.size());
            assertThat(groups).as("keys that are read ahead as well").hasSizeGreaterThan(1 << 13);
            assertThat(groups.values()).doesNotHaveDuplicates();
        }
    }

    @Test
    void keysOfATableThatWasTouchedFindTheirGroupsInAnother() {
        Map<String, Integer> groups = new HashMap<>();
        try (BufferAllocator allocator = new RootAllocator();
                ArrowBuf text = allocator.buffer(KeyBatch.MAX_KEYS * 64L)) {
            GroupTables tables = new GroupTables(allocator, VALUES);
            try (GroupTable touched = tables.newTable();
                    GroupTable other = tables.newTable()) {
                for (int round = 0; round < 50; round++) {
                    List<String> batch = batch(text, KeyBatch.MAX_KEYS);
                    keys.touch(touched);
                    for (int i = batch.size() - 1; i >= 0; i--) {
                        String key = batch.get(i);
                        assertThat(keys.find(other, i))
                                .as("%s, seed=%d", key, SEED)
                                .isEqualTo(groups.getOrDefault(key, -1));
                        groups.putIfAbsent(key, keys.group(other, i, 3));
                        keys.group(touched, i, 3);
                        if (random.nextInt(3_000) == 0) {
                            other.clear();
                            groups.clear();
                        }
                    }
                    assertThat(other.size()).isEqualTo(groups.size());
                }
            }
        }
    }

    /** Rows of one have more bytes than those of the other, so numbers of rows of one are none of the other. */
    @Test
    void keysOfATableOfShortRowsFindTheirGroupsInOneOfLongRows() {
        List<ValueSpec> mean =
                List.of(new ValueSpec("n", ColumnType.DOUBLE, List.of(Aggregate.MEAN)));
        Map<String, Integer> groups = new HashMap<>();
        try (BufferAllocator allocator = new RootAllocator();
                ArrowBuf text = allocator.buffer(KeyBatch.MAX_KEYS * 64L)) {
            GroupTables tables = new GroupTables(allocator, mean);
            try (GroupTable shortRows = tables.newTable();
                    GroupTable longRows = tables.newTable()) {
                for (int round = 0; round < 60; round++) {
                    List<String> batch = batch(text, KeyBatch.MAX_KEYS);
                    boolean isShort = round % 2 == 0;
                    keys.touch(isShort ? shortRows : longRows);
                    for (int i = 0; i < batch.size(); i++) {
                        String key = batch.get(i);
                        int group = keys.group(longRows, i, 3);
                        assertThat(groups.computeIfAbsent(key, k -> group))
                                .as("%s, seed=%d", key, SEED)
                                .isEqualTo(group);
                        longRows.add(group, 0, Double.doubleToLongBits(i % 2 == 0 ? 1e60 : 1e-60));
                        shortRows.add(keys.group(shortRows, i, 3), 0, Double.doubleToLongBits(1));
                    }
                    assertThat(longRows.size()).isEqualTo(groups.size());
                    assertThat(shortRows.size()).isEqualTo(groups.size());
                }
                assertThat(groups).hasSizeGreaterThan(5_000);
            }
        }
    }

    private List<String> batch(ArrowBuf text, int count) {
        List<String> batch = new ArrayList<>();
        keys.clear();
        int at = 0;
        for (int i = 0; i < count; i++) {
            String key = "ä".repeat(random.nextInt(2)) + "k".repeat(random.nextInt(40));
            key = random.nextBoolean() ? key : key + random.nextInt(1_000_000);
            byte[] bytes = key.getBytes(StandardCharsets.UTF_8);
            text.setBytes(at, bytes);
            text.setLong(at + bytes.length, -1);
            keys.add(text.memoryAddress() + at, bytes.length);
            batch.add(key);
            at += bytes.length;
        }
        return batch;
    }
}
