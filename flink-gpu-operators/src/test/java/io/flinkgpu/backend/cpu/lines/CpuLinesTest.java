package io.flinkgpu.backend.cpu.lines;

import io.flinkgpu.api.Aggregate;
import io.flinkgpu.api.ValueSpec;
import io.flinkgpu.api.lines.Delimited;
import io.flinkgpu.api.lines.Field;
import io.flinkgpu.backend.cpu.aggregate.BatchHash;
import io.flinkgpu.backend.cpu.aggregate.SipHash;
import io.flinkgpu.backend.plan.LineGroups;
import io.flinkgpu.backend.plan.LinePlan;
import io.flinkgpu.backend.plan.TimeSlices;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.testkit.LineAnswer;
import io.flinkgpu.testkit.LineInput;

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

/**
 * Covers: CpuLines.
 */
class CpuLinesTest {

    private static final long SEED = 20261121;
    private static final String[] ODD_BYTES = {
        "", "", "-", "+", ".", ";", "\n", "\r", " ", "/", ":", "\u0010", "\u0019", "e", "\u00b0"
    };

    private static final String[] ODD_NUMBERS = {"", "x", "-", "12345678901.5", "0.55", "+1.5"};

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
        BatchHash hash = new BatchHash(0, 0, 0, 0, new SipHash(1, 2));
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
        // The same at each run: of random ones about one in 60 makes some of these keys pile up.
        Random random = new Random(20_260_101);
        BatchHash hash =
                new BatchHash(
                        random.nextLong(),
                        random.nextLong(),
                        random.nextLong(),
                        random.nextLong(),
                        new SipHash(random.nextLong(), random.nextLong()));
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

    /** Where keys hardly repeat, lines are not grouped; where they do again, they are. */
    @Test
    void linesAreGroupedAsLongAsKeysRepeat() throws Exception {
        Delimited key = Delimited.of(';').string("key");
        List<Delimited> formats =
                List.of(
                        key.decimal("n", 1),
                        Delimited.of(';').quoted().string("key").decimal("n", 1).longNumber("m"),
                        Delimited.of(',').epochMillis("time").doubleNumber("n").string("key"));
        for (Delimited format : formats) {
            keysThatChange(format, new Random(SEED));
        }
    }

    private static void keysThatChange(Delimited format, Random random) throws Exception {
        boolean hasTime = format.fields().get(0).isTimestamp();
        List<Integer> numbers = new ArrayList<>();
        List<ValueSpec> values = new ArrayList<>();
        for (int i = 0; i < format.fields().size(); i++) {
            Field field = format.fields().get(i);
            if (field.isNumber() && !field.isTimestamp()) {
                numbers.add(i);
                values.add(
                        new ValueSpec(
                                field.name(), field.valueType(), List.of(Aggregate.values())));
            }
        }
        TimeSlices time = hasTime ? new TimeSlices(0, 60_000, 0) : null;
        LinePlan plan = new LinePlan(format, format.indexOf("key"), time, numbers, values);
        int[] keys = {300, 1 << 22, 1 << 22, 1 << 22, 200, 50_000, 1 << 22, 300};
        boolean[] areGrouped = new boolean[2];
        try (BufferAllocator allocator = new RootAllocator();
                CpuLines lines = new CpuLines(allocator, plan)) {
            for (int most : keys) {
                for (int batch = 0; batch < 6; batch++) {
                    String end = random.nextBoolean() ? "\n" : "\r\n";
                    byte[] text = lines(format, most, 30_000 + random.nextInt(90_000), end, random);
                    LineInput input = new LineInput(plan, List.of(text));
                    String label = "seed=" + SEED + ", format=" + format + ", keys=" + most;
                    try (ColumnBatch rows = input.batch(allocator);
                            LineGroups groups = lines.submit(rows).await()) {
                        LineAnswer answer = new LineAnswer(plan).add(input, groups, label);
                        answer.assertEquals(new LineAnswer(plan).add(input), label);
                        assertThat(plan.defectOf(groups, rows)).isNull();
                        areGrouped[answer.ungrouped() > 0 ? 0 : 1] = true;
                    }
                }
            }
        }
        assertThat(areGrouped).as("ungrouped, grouped of " + format).containsExactly(true, true);
    }

    /** Lines of keys of all kinds; some of the keys and numbers are no ordinary ones. */
    private static byte[] lines(Delimited format, int keys, int count, String end, Random random) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < count; i++) {
            int number = random.nextInt(keys);
            String name =
                    switch (number % 50) {
                        case 0 -> "Zürich " + number;
                        case 1 -> "a key of more than sixteen bytes, " + number;
                        case 2 -> number == 2 ? "" : number + "😀";
                        default -> Integer.toString(number, 36);
                    };
            boolean isOdd = random.nextInt(100) == 0;
            for (Field field : format.fields()) {
                boolean isFirst = field == format.fields().get(0);
                text.append(isFirst ? "" : format.separator() == ';' ? ";" : ",");
                switch (field.format()) {
                    case STRING ->
                            text.append(format.isQuoted() && isOdd ? '"' + name + "\"\"\"" : name);
                    case EPOCH_MILLIS, LONG -> text.append(random.nextInt(200_000));
                    default ->
                            text.append(
                                    isOdd
                                            ? ODD_NUMBERS[random.nextInt(ODD_NUMBERS.length)]
                                            : random.nextInt(1999) - 999 + ".5");
                }
            }
            text.append(isOdd ? "\n" : end);
        }
        return text.toString().getBytes(StandardCharsets.UTF_8);
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
