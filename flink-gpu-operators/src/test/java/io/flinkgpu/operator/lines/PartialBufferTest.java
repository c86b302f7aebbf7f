package io.flinkgpu.operator.lines;

import io.flinkgpu.api.Aggregate;
import io.flinkgpu.api.ColumnType;
import io.flinkgpu.api.ValueSpec;
import io.flinkgpu.backend.plan.AggregatePlan;
import io.flinkgpu.backend.plan.GroupedBatch;
import io.flinkgpu.words.Term;
import io.flinkgpu.words.WordLayout;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;

/** Groups are what a map of keys and slices has. */
class PartialBufferTest {

    private static final List<ValueSpec> COUNT =
            List.of(new ValueSpec("", ColumnType.LONG, List.of(Aggregate.COUNT)));

    @Test
    void randomGroupsAreThoseOfAMap() throws Exception {
        long seed = Long.getLong("seed", 20_260_101);
        Random random = new Random(seed);
        try (RootAllocator allocator = new RootAllocator();
                GroupedBatch one = oneRow(allocator);
                ArrowBuf key = allocator.buffer(64)) {
            PartialBuffer held = new PartialBuffer(COUNT, Integer.MAX_VALUE, Long.MAX_VALUE);
            Map<String, Long> expected = new HashMap<>();
            Map<String, Long> sent = new HashMap<>();
            for (int round = 0; round < 20; round++) {
                for (int i = 0; i < 3_000; i++) {
                    String text = "é-" + "x".repeat(random.nextInt(20)) + random.nextInt(300);
                    long slice = random.nextInt(4) * 10L;
                    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
                    key.setBytes(0, bytes);
                    held.add(key.memoryAddress(), bytes.length, slice, slice + 9, one, 0);
                    expected.merge(text + "@" + slice, 1L, Long::sum);
                }
                long upTo = random.nextInt(45);
                held.drain(
                        upTo,
                        (name, slice, partial) -> {
                            assertThat(slice + 9).isLessThanOrEqualTo(upTo);
                            sent.merge(
                                    name + "@" + slice,
                                    (Long) partial.results(COUNT)[0],
                                    Long::sum);
                        });
                assertThat(held.leastThreshold()).as("seed=" + seed).isGreaterThan(upTo);
            }
            held.drain(
                    Long.MAX_VALUE,
                    (name, slice, partial) ->
                            sent.merge(
                                    name + "@" + slice,
                                    (Long) partial.results(COUNT)[0],
                                    Long::sum));
            assertThat(sent).as("seed=" + seed).isEqualTo(expected);
            assertThat(held.size()).isZero();
        }
    }

    /** Keys that differ in one byte, at each place and of each length, are apart. */
    @Test
    void keysOfAllLengthsAreApart() throws Exception {
        try (RootAllocator allocator = new RootAllocator();
                GroupedBatch one = oneRow(allocator);
                ArrowBuf key = allocator.buffer(64)) {
            PartialBuffer held = new PartialBuffer(COUNT, Integer.MAX_VALUE, Long.MAX_VALUE);
            int groups = 0;
            for (int length = 0; length <= 40; length++) {
                for (int place = -1; place < length; place++) {
                    byte[] bytes = new byte[length];
                    if (place >= 0) {
                        bytes[place] = 1;
                    }
                    key.setBytes(0, bytes);
                    held.add(key.memoryAddress(), length, 0, 9, one, 0);
                    held.add(key.memoryAddress(), length, 0, 9, one, 0);
                    assertThat(held.size()).isEqualTo(++groups);
                }
            }
            held.drain(
                    9,
                    (name, slice, partial) ->
                            assertThat(partial.results(COUNT)).containsExactly(2L));
        }
    }

    private static GroupedBatch oneRow(RootAllocator allocator) {
        AggregatePlan plan = new AggregatePlan(ColumnType.BYTES, COUNT);
        WordLayout layout = GroupedBatch.layout(plan, new int[1]);
        ArrowBuf words = allocator.buffer(8L * layout.words());
        words.setZero(0, words.capacity());
        words.setLong(8L * layout.first(0, Term.COUNT), 1);
        return new GroupedBatch(plan, 1, words, new int[1], new int[1], 0);
    }
}
