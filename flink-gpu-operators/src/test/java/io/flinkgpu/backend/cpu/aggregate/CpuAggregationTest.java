package io.flinkgpu.backend.cpu.aggregate;

import io.flinkgpu.api.Aggregate;
import io.flinkgpu.api.ColumnType;
import io.flinkgpu.api.ValueSpec;
import io.flinkgpu.backend.plan.AggregatePlan;
import io.flinkgpu.backend.plan.GroupedBatch;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.testkit.AggregationAnswer;
import io.flinkgpu.testkit.AggregationInput;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * What the contract cannot see: collisions, and results that are larger than the memory.
 *
 * <p>Covers: CpuAggregation.
 */
class CpuAggregationTest {

    private static final List<ValueSpec> VALUES =
            List.of(new ValueSpec("", ColumnType.DOUBLE, List.of(Aggregate.values())));
    private static final AggregatePlan BY_ID = new AggregatePlan(ColumnType.INT, VALUES);
    private static final AggregatePlan BY_BYTES = new AggregatePlan(ColumnType.BYTES, VALUES);

    private final BufferAllocator allocator = new RootAllocator(2 << 20);

    @AfterEach
    void nothingIsHeld() {
        allocator.close();
    }

    @Test
    void allHashesMayCollide() throws Exception {
        AggregationInput ids = new AggregationInput(BY_ID);
        AggregationInput keys = new AggregationInput(BY_BYTES);
        Random random = new Random(1);
        int[] collidingIds =
                IntStream.iterate(-1, id -> id - 1)
                        .filter(id -> id * BatchHash.NUMBER_FACTOR >>> Long.SIZE - 12 == 0)
                        .limit(600)
                        .toArray();
        for (int row = 0; row < 3000; row++) {
            int key = random.nextInt(600);
            ids.add(collidingIds[key], random.nextInt(3), row / 4.0);
            byte[] bytes = String.valueOf(key).getBytes(StandardCharsets.US_ASCII);
            keys.add(bytes, random.nextInt(3), row / 4.0);
        }
        BatchHash colliding = new BatchHash(0, 0, 0, 0, new SipHash(1, 2));
        check(new CpuAggregation(allocator, BY_ID, colliding), ids);
        assertThat(colliding.isHard()).isFalse();
        // Keys of up to eight bytes have one hash, until so many collide that it becomes another.
        check(new CpuAggregation(allocator, BY_BYTES, colliding), keys);
        assertThat(colliding.isHard()).isTrue();
    }

    @Test
    void aResultLargerThanTheMemoryIsRefusedAndItsPartsAreNot() throws Exception {
        AggregationInput input = new AggregationInput(BY_ID);
        for (int row = 0; row < 2000; row++) {
            input.add(row, 0, row == 0 ? Double.MAX_VALUE : Double.MIN_VALUE * row);
        }
        AggregationAnswer actual = AggregationAnswer.empty(input);
        try (CpuAggregation program = new CpuAggregation(allocator, BY_ID);
                ColumnBatch batch = input.batch(allocator, 0, 2000)) {
            long before = allocator.getAllocatedMemory();
            assertThatThrownBy(() -> program.submit(batch).await())
                    .isInstanceOf(OutOfMemoryException.class);
            assertThat(allocator.getAllocatedMemory()).isEqualTo(before);
            for (int from : new int[] {0, 500, 1000, 1500}) {
                try (ColumnBatch part = batch.slice(from, 500);
                        GroupedBatch result = program.submit(part).await()) {
                    actual.add(input, from, result);
                }
            }
        }
        actual.assertEquals(AggregationAnswer.expected(input), "in quarters");
    }

    @Test
    void regularRowsSpreadOverTheTable() {
        Random random = new Random(2);
        int rows = 4096;
        int rounds = 200;
        long sumOfLongest = 0;
        for (int round = 0; round < rounds; round++) {
            BatchHash hash =
                    new BatchHash(
                            random.nextLong(),
                            random.nextLong(),
                            random.nextLong(),
                            random.nextLong(),
                            new SipHash(1, 2));
            int idCount = 1 << random.nextInt(12);
            int sliceShift = random.nextInt(50);
            boolean[] slots = new boolean[2 * rows];
            for (int row = 0; row < rows; row++) {
                long slice = (long) (row / idCount) << sliceShift;
                int slot = (int) (hash.ofNumber(row % idCount, slice) >>> Long.SIZE - 13);
                while (slots[slot]) {
                    slot = slot + 1 & slots.length - 1;
                }
                slots[slot] = true;
            }
            sumOfLongest += longestRun(slots);
        }
        // Random places have runs of about 50; a hash that fails has them of thousands.
        assertThat(sumOfLongest / rounds).isLessThan(100);
    }

    private static int longestRun(boolean[] slots) {
        int longest = 0;
        int run = 0;
        for (boolean isTaken : slots) {
            run = isTaken ? run + 1 : 0;
            longest = Math.max(longest, run);
        }
        return longest;
    }

    @Test
    void theHashDependsOnEveryByteTheLengthAndTheKey() {
        SipHash hash = new SipHash(1, 2);
        Set<Long> hashes = new HashSet<>();
        int made = 0;
        try (ArrowBuf buffer = allocator.buffer(64)) {
            for (int length = 0; length <= 40; length++) {
                buffer.setZero(0, 64);
                hashes.add(hash.hash(buffer.memoryAddress(), length));
                made++;
                for (int bit = 0; bit < 8 * length; bit++) {
                    buffer.setByte(bit >> 3, 1 << (bit & 7));
                    hashes.add(hash.hash(buffer.memoryAddress(), length));
                    made++;
                    buffer.setByte(bit >> 3, 0);
                }
            }
            assertThat(hashes).hasSize(made);
            buffer.setBytes(0, "a key of 20 bytes...".getBytes(StandardCharsets.US_ASCII));
            buffer.setBytes(33, "a key of 20 bytes...".getBytes(StandardCharsets.US_ASCII));
            long here = hash.hash(buffer.memoryAddress(), 20);
            assertThat(hash.hash(buffer.memoryAddress() + 33, 20)).isEqualTo(here);
            assertThat(new SipHash(1, 3).hash(buffer.memoryAddress(), 20)).isNotEqualTo(here);
            assertThat(new SipHash(2, 2).hash(buffer.memoryAddress(), 20)).isNotEqualTo(here);
        }
    }

    private void check(CpuAggregation program, AggregationInput input) throws Exception {
        AggregationAnswer actual = AggregationAnswer.empty(input);
        try (program;
                ColumnBatch batch = input.batch(allocator, 0, input.rows());
                GroupedBatch result = program.submit(batch).await()) {
            actual.add(input, 0, result);
        }
        actual.assertEquals(AggregationAnswer.expected(input), "colliding");
    }
}
