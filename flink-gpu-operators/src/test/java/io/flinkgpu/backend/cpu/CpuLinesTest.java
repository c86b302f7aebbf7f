package io.flinkgpu.backend.cpu;

import io.flinkgpu.api.Aggregate;
import io.flinkgpu.api.ValueSpec;
import io.flinkgpu.api.lines.Delimited;
import io.flinkgpu.backend.LineGroups;
import io.flinkgpu.backend.LinePlan;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.oracle.LineAnswer;
import io.flinkgpu.oracle.LineInput;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class CpuLinesTest {

    private static final Delimited FORMAT = Delimited.of(';').string("key").decimal("value", 1);
    private static final LinePlan PLAN =
            new LinePlan(
                    FORMAT,
                    0,
                    null,
                    List.of(1),
                    List.of(
                            new ValueSpec(
                                    "value",
                                    FORMAT.fields().get(1).valueType(),
                                    List.of(Aggregate.values()))));

    @Test
    void keysThatAllCollideAreHashedOtherwise() throws Exception {
        // Without a seed the product of a short key's words is 0, whatever the key.
        LineHash hash = new LineHash(0, 0, 0, 0, new SipHash(1, 2));
        try (BufferAllocator allocator = new RootAllocator();
                CpuLines lines = new CpuLines(allocator, PLAN, hash)) {
            assertThat(hash.isHard()).isFalse();
            for (int keys : new int[] {10, 50_000, 100}) {
                check(allocator, lines, keys);
            }
            assertThat(hash.isHard()).isTrue();
        }
    }

    @Test
    void usualKeysDoNotHardenTheHash() throws Exception {
        LineHash hash = LineHash.random();
        try (BufferAllocator allocator = new RootAllocator();
                CpuLines lines = new CpuLines(allocator, PLAN, hash)) {
            check(allocator, lines, 100_000);
            assertThat(hash.isHard()).isFalse();
        }
    }

    @Test
    void moreGroupsThanMemoryAreRefusedAndTheNextBatchIsFine() throws Exception {
        try (BufferAllocator allocator = new RootAllocator(8 << 20);
                CpuLines lines = new CpuLines(allocator, PLAN)) {
            LineInput input = input(100_000);
            try (ColumnBatch batch = input.batch(allocator)) {
                assertThatExceptionOfType(OutOfMemoryException.class)
                        .isThrownBy(() -> lines.submit(batch).await());
                assertThat(allocator.getAllocatedMemory()).isLessThan(4 << 20);
            }
            check(allocator, lines, 1000);
        }
    }

    private static void check(BufferAllocator allocator, CpuLines lines, int keys)
            throws Exception {
        LineInput input = input(keys);
        try (ColumnBatch batch = input.batch(allocator);
                LineGroups groups = lines.submit(batch).await()) {
            new LineAnswer(PLAN)
                    .add(input, groups, "keys=" + keys)
                    .assertEquals(new LineAnswer(PLAN).add(input), "keys=" + keys);
        }
    }

    private static LineInput input(int keys) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 2 * keys; i++) {
            text.append(Integer.toString(i % keys, 36)).append(';').append(i % 100).append(".5\n");
        }
        return new LineInput(PLAN, List.of(text.toString().getBytes(StandardCharsets.UTF_8)));
    }
}
