package io.flinkgpu.operator.window.local;

import io.flinkgpu.api.ColumnType;
import io.flinkgpu.column.RowValues;
import io.flinkgpu.column.ValueBatchBuilder;
import io.flinkgpu.groups.KeyBytes;
import io.flinkgpu.groups.KeyCodec;
import io.flinkgpu.groups.KeyDictionary;

import org.apache.flink.api.common.typeutils.base.LongSerializer;
import org.apache.flink.api.common.typeutils.base.StringSerializer;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.Test;

import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Covers: OpenBatch, BatchGroup.
 */
class OpenBatchTest {

    private static final int MAX_ROWS = 1 << 16;
    private static final KeyCodec<Long> CODEC = KeyCodec.of(LongSerializer.INSTANCE);
    private static final KeyCodec<String> TEXTS = KeyCodec.of(StringSerializer.INSTANCE);

    @Test
    void keysAreForgottenBetweenBatchesOnceThereAreMany() {
        try (BufferAllocator allocator = new RootAllocator(1 << 24);
                ValueBatchBuilder builder = builder(allocator)) {
            OpenBatch<Long> open = open(builder);
            KeyDictionary first = open.keys();
            fill(open, 0, OpenBatch.MAX_KEPT_KEYS);
            assertThat(open.keys()).isSameAs(first);
            fill(open, OpenBatch.MAX_KEPT_KEYS, 1);
            assertThat(open.keys()).isNotSameAs(first);
            assertThat(open.keys().size()).isZero();
            KeyBytes last = new KeyBytes();
            first.key(OpenBatch.MAX_KEPT_KEYS, last);
            assertThat(CODEC.read(last.array(), 0, last.length()))
                    .isEqualTo(OpenBatch.MAX_KEPT_KEYS);
            assertThat(first.keyGroup(OpenBatch.MAX_KEPT_KEYS)).isEqualTo(1);
        }
    }

    /** Few keys of 1 MiB: the limit of 65,536 keys would be 64 GiB. */
    @Test
    void aBatchEndsBeforeItsKeysHaveManyBytes() {
        try (BufferAllocator allocator = new RootAllocator(1 << 24);
                ValueBatchBuilder builder = builder(allocator)) {
            OpenBatch<String> open = new OpenBatch<>(builder, TEXTS, key -> 0, false);
            RowValues values = new RowValues(1);
            KeyDictionary ended = null;
            int batches = 0;
            int rows = 0;
            for (int i = 0; i < 100; i++) {
                if (!open.add("k".repeat(1 << 20) + i, 0, 10, 9, values)) {
                    assertThat(rows).isPositive();
                    ended = open.keys();
                    assertThat(ended.size()).isEqualTo(rows);
                    rows = 0;
                    batches++;
                    seal(open);
                    assertThat(open.add("k".repeat(1 << 20) + i, 0, 10, 9, values)).isTrue();
                    assertThat(open.keys()).isNotSameAs(ended);
                }
                rows++;
                assertThat(open.add("k".repeat(1 << 20) + i, 0, 10, 9, values)).isTrue();
                assertThat(open.keys().heldBytes()).isLessThanOrEqualTo(OpenBatch.MAX_KEY_BYTES);
            }
            assertThat(batches).isEqualTo(6);
            seal(open);
        }
    }

    @Test
    void aKeyWithMoreBytesThanTheLimitIsABatch() {
        try (BufferAllocator allocator = new RootAllocator(1 << 24);
                ValueBatchBuilder builder = builder(allocator)) {
            OpenBatch<String> open = new OpenBatch<>(builder, TEXTS, key -> 0, false);
            RowValues values = new RowValues(1);
            String large = "k".repeat(17 << 20);
            assertThat(open.add(large, 0, 10, 9, values)).isTrue();
            assertThat(open.add(large, 0, 10, 9, values)).isTrue();
            assertThat(open.add("small", 0, 10, 9, values)).isFalse();
            seal(open);
            assertThat(open.add("small", 0, 10, 9, values)).isTrue();
            assertThat(open.keys().size()).isEqualTo(1);
            seal(open);
        }
    }

    @Test
    void theThresholdIsTheLeastOfTheOpenBatchsRows() {
        try (BufferAllocator allocator = new RootAllocator(1 << 24);
                ValueBatchBuilder builder = builder(allocator)) {
            OpenBatch<Long> open = open(builder);
            RowValues values = new RowValues(1);
            open.add(1L, 0, 10, 9, values);
            open.add(1L, 10, 20, 19, values);
            assertThat(open.threshold()).isEqualTo(9);
            seal(open);
            open.add(1L, 10, 20, 19, values);
            assertThat(open.threshold()).isEqualTo(19);
        }
    }

    private static OpenBatch<Long> open(ValueBatchBuilder builder) {
        return new OpenBatch<>(
                builder, CODEC, key -> key == OpenBatch.MAX_KEPT_KEYS ? 1 : 0, false);
    }

    private static ValueBatchBuilder builder(BufferAllocator allocator) {
        return new ValueBatchBuilder(allocator, MAX_ROWS, 1 << 24, List.of(ColumnType.LONG));
    }

    private static void seal(OpenBatch<?> open) {
        open.take(null);
        open.columns().build().close();
    }

    private static void fill(OpenBatch<Long> open, long firstKey, int rows) {
        RowValues values = new RowValues(1);
        for (int i = 0; i < rows; i++) {
            open.add(firstKey + i, 0, 10, 9, values);
        }
        seal(open);
    }
}
