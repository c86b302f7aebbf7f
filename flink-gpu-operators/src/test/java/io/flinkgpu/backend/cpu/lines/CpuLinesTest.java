package io.flinkgpu.backend.cpu.lines;

import io.flinkgpu.api.Aggregate;
import io.flinkgpu.api.ValueSpec;
import io.flinkgpu.api.lines.Delimited;
import io.flinkgpu.backend.cpu.aggregate.SipHash;
import io.flinkgpu.backend.cpu.lines.group.LineHash;
import io.flinkgpu.backend.plan.LineGroups;
import io.flinkgpu.backend.plan.LinePlan;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.oracle.LineAnswer;
import io.flinkgpu.oracle.LineInput;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class CpuLinesTest {

    private static final long SEED = 20261121;
    private static final String[] ODD_BYTES = {
        "", "", "-", "+", ".", ";", "\n", "\r", " ", "/", ":", "\u0010", "\u0019", "e", "\u00b0"
    };

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

    @Test
    void numbersOfAllKindsAreReadAsTheParserDoes() throws Exception {
        Delimited key = Delimited.of(';').string("key");
        List<Delimited> formats = new ArrayList<>(List.of(key.intNumber("n"), key.longNumber("n")));
        for (int scale = 0; scale <= 7; scale++) {
            formats.add(key.decimal("n", scale));
            formats.add(key.decimal("n", scale + 2, scale));
        }
        Random random = new Random(SEED);
        for (Delimited format : formats) {
            ValueSpec value =
                    new ValueSpec(
                            "n", format.fields().get(1).valueType(), List.of(Aggregate.values()));
            LinePlan plan = new LinePlan(format, 0, null, List.of(1), List.of(value));
            LineInput input =
                    new LineInput(plan, List.of(numbers(random, "\n"), numbers(random, "\r\n")));
            String label = "seed=" + SEED + " number=" + value.type();
            try (BufferAllocator allocator = new RootAllocator();
                    CpuLines lines = new CpuLines(allocator, plan);
                    ColumnBatch batch = input.batch(allocator);
                    LineGroups groups = lines.submit(batch).await()) {
                new LineAnswer(plan)
                        .add(input, groups, label)
                        .assertEquals(new LineAnswer(plan).add(input), label);
            }
        }
    }

    /** Lines with numbers, and with what differs from one in a byte or two. */
    private static byte[] numbers(Random random, String lineEnd) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 20_000; i++) {
            text.append("k".repeat(random.nextInt(20))).append(random.nextInt(3)).append(';');
            StringBuilder number = new StringBuilder(random.nextBoolean() ? "-" : "");
            number.append("0".repeat(random.nextInt(3) / 2));
            number.append(random.nextInt(1 << random.nextInt(20)));
            if (random.nextInt(4) > 0) {
                number.append('.').append(random.nextInt(1 << random.nextInt(16)));
            }
            for (int changes = Math.max(0, random.nextInt(5) - 2); changes > 0; changes--) {
                int at = random.nextInt(number.length() + 1);
                String byteOrNone = ODD_BYTES[random.nextInt(ODD_BYTES.length)];
                number.replace(at, Math.min(number.length(), at + random.nextInt(3)), byteOrNone);
            }
            text.append(number).append(lineEnd);
        }
        return text.toString().getBytes(StandardCharsets.UTF_8);
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
