package io.flinkgpu.operator.lines;

import io.flinkgpu.api.Aggregate;
import io.flinkgpu.api.ColumnType;
import io.flinkgpu.api.ValueSpec;
import io.flinkgpu.backend.plan.UngroupedLines;
import io.flinkgpu.column.TextView;
import io.flinkgpu.groups.GroupSource;
import io.flinkgpu.groups.KeyBytes;
import io.flinkgpu.groups.KeyCodec;
import io.flinkgpu.groups.PartialSource;
import io.flinkgpu.operator.window.SentGroup;
import io.flinkgpu.operator.window.WindowInput;
import io.flinkgpu.operator.window.local.BlockOutput;
import io.flinkgpu.operator.window.local.HeldGroups;
import io.flinkgpu.state.Partial;

import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.apache.flink.streaming.api.operators.Output;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.types.Row;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

import static io.flinkgpu.operator.lines.LineHarness.TUMBLING;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Each value of a line is in one place, within any budget: in a group that is held, or in a block.
 *
 * <p>Covers: UngroupedOutput, UngroupedLines.
 */
class UngroupedOutputTest {

    private static final long SEED = Long.getLong("lines.seed", System.nanoTime());
    private static final int KEY_GROUPS = 7;
    private static final long SLICE_MILLIS = 10;

    private static final List<ValueSpec> VALUES =
            List.of(
                    new ValueSpec("n", ColumnType.LONG, List.of(Aggregate.values())),
                    new ValueSpec("d", ColumnType.DOUBLE, List.of(Aggregate.values())));

    private static final UngroupedLines.Layout LAYOUT =
            new UngroupedLines.Layout(VALUES.size(), true, true);

    private final Random random = new Random(SEED);
    private final Map<String, Partial> expected = new HashMap<>();
    private final Map<String, Partial> found = new HashMap<>();
    private final BufferAllocator allocator = new RootAllocator();
    private final BlockOutput<String, Row> blocks =
            new BlockOutput<>(
                    VALUES, KeyCodec.of(StringSerializer.INSTANCE), KEY_GROUPS, false, collected());

    private int rows;

    @AfterEach
    void givesAllBack() {
        allocator.close();
    }

    @ParameterizedTest
    @CsvSource({
        "0, 300",
        "3000, 300",
        "20000, 3000",
        "300000, 3000",
        "67108864, 3000",
        "300000, 100000000"
    })
    void randomLinesAreThoseOfAMap(long maxBytes, int keys) {
        try (HeldGroups held = new HeldGroups(TUMBLING, VALUES, maxBytes, this::group)) {
            UngroupedOutput output = new UngroupedOutput(held, blocks, VALUES.size());
            int sent = 0;
            for (int batch = 0; batch < 20; batch++) {
                sent += add(output, 1_500, keys, batch % 3);
                if (random.nextInt(5) == 0 && held.send(SLICE_MILLIS * random.nextInt(4))) {
                    output.groupsSent();
                }
            }
            held.sendAll();
            blocks.flush();
            assertThat(sent).as(label()).isEqualTo(rows);
            if (maxBytes == 64 << 20) {
                assertThat(sent).as(label()).isZero();
            }
        }
        assertThat(found.keySet()).as(label()).isEqualTo(expected.keySet());
        expected.forEach(
                (key, partial) ->
                        assertThat(found.get(key).results(VALUES))
                                .as("%s, %s", key, label())
                                .isEqualTo(partial.results(VALUES)));
    }

    @Test
    void linesOfKeysThatDoNotComeAgainAreSoonSentAsTheyAre() {
        try (HeldGroups held = new HeldGroups(TUMBLING, VALUES, 64 << 20, this::group)) {
            UngroupedOutput output = new UngroupedOutput(held, blocks, VALUES.size());
            int sent = 0;
            for (int batch = 0; batch < 16; batch++) {
                sent += add(output, 10_000, Integer.MAX_VALUE, 0);
            }
            int fewest = 160_000 - HoldingChoice.SAMPLE_LINES - 256;
            assertThat(sent).as(label()).isGreaterThan(fewest);
        }
    }

    /** Adds random lines of a slice; gives how many of them are in blocks. */
    private int add(UngroupedOutput output, int count, int keys, long slice) {
        long start = slice * SLICE_MILLIS;
        int stride = LAYOUT.strideBytes();
        ArrowBuf words = allocator.buffer((long) stride * count);
        try (ArrowBuf text = allocator.buffer(40L * count);
                UngroupedLines lines = new UngroupedLines(LAYOUT, words, count)) {
            for (int i = 0, end = 0; i < count; i++) {
                end = fill(text, end, words, i * stride, keys, start);
            }
            TextView view = new TextView(0, text.memoryAddress(), 0, 0);
            int middle = random.nextInt(count + 1);
            int sent = add(output, lines, view, 0, middle, start);
            return sent + add(output, lines, view, middle, count, start);
        }
    }

    private int add(
            UngroupedOutput output,
            UngroupedLines lines,
            TextView text,
            int from,
            int to,
            long start) {
        return output.add(lines, text, from, to, start, start + SLICE_MILLIS);
    }

    private int fill(ArrowBuf text, int at, ArrowBuf words, int line, int keys, long start) {
        String key = "x".repeat(random.nextInt(5) * 4) + random.nextInt(keys);
        byte[] bytes = key.getBytes(StandardCharsets.UTF_8);
        text.setBytes(at, bytes);
        words.setInt(line, at);
        words.setInt(line + UngroupedLines.Layout.KEY_LENGTH, bytes.length);
        words.setLong(line + UngroupedLines.Layout.SLICE, start);
        Partial partial = expected.computeIfAbsent(key + "@" + start, k -> new Partial(VALUES));
        long nulls = 0;
        long[] row = {
            random.nextLong() >> 16 + random.nextInt(48),
            Double.doubleToLongBits(random.nextGaussian() * Math.pow(2, random.nextInt(200)))
        };
        for (int i = 0; i < row.length; i++) {
            if (random.nextInt(4) == 0) {
                nulls |= 1L << i;
            } else {
                partial.add(i, row[i]);
            }
            words.setLong(line + LAYOUT.valuesAt() + (long) Long.BYTES * i, row[i]);
        }
        words.setLong(line + LAYOUT.nullsAt(), nulls);
        return at + bytes.length;
    }

    private void group(int keyGroup, KeyBytes key, long slice, long end, GroupSource group) {
        assertThat(end).isEqualTo(slice + SLICE_MILLIS);
        String text = new String(key.copy(), StandardCharsets.UTF_8);
        checkKeyGroup(text, keyGroup);
        PartialSource.add(group, VALUES.size(), found(text, slice));
    }

    private void block(WindowInput<String, Row> block) {
        for (SentGroup<String> row :
                SentGroup.in(block, KeyCodec.of(StringSerializer.INSTANCE), VALUES)) {
            assertThat(row.isGroup()).isFalse();
            assertThat(row.endMillis()).isEqualTo(row.startMillis() + SLICE_MILLIS);
            checkKeyGroup(row.key(), block.block().keyGroup());
            found(row.key(), row.startMillis()).merge(row.partial());
            rows++;
        }
    }

    private Partial found(String key, long slice) {
        return found.computeIfAbsent(key + "@" + slice, k -> new Partial(VALUES));
    }

    private static void checkKeyGroup(String key, int keyGroup) {
        assertThat(keyGroup).isEqualTo(KeyGroupRangeAssignment.assignToKeyGroup(key, KEY_GROUPS));
    }

    @SuppressWarnings("unchecked") // Nothing but blocks is sent.
    private Output<StreamRecord<WindowInput<String, Row>>> collected() {
        return (Output<StreamRecord<WindowInput<String, Row>>>)
                Proxy.newProxyInstance(
                        getClass().getClassLoader(),
                        new Class<?>[] {Output.class},
                        (proxy, method, arguments) -> {
                            block(
                                    ((StreamRecord<WindowInput<String, Row>>) arguments[0])
                                            .getValue());
                            return null;
                        });
    }

    private static String label() {
        return "seed=" + SEED;
    }
}
