package io.flinkgpu.groups;

import io.flinkgpu.api.Aggregate;
import io.flinkgpu.api.ColumnType;
import io.flinkgpu.api.ValueSpec;
import io.flinkgpu.column.RowValues;
import io.flinkgpu.exact.DoubleOrder;
import io.flinkgpu.exact.SquareGrid;
import io.flinkgpu.state.Partial;

import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.memory.util.MemoryUtil;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Covers: groups.GroupTable, BlockReader, BlockWriter, GroupBlock, GroupCursor, GroupTables, KeySlots,
 * PartialSource, RowLayout, RowPages, RowWords.
 */
class GroupTableTest {

    private static final long SEED = Long.getLong("groups.seed", System.nanoTime());

    private static final List<ValueSpec> VALUES =
            List.of(
                    spec("all", ColumnType.DOUBLE, Aggregate.values()),
                    spec("mean", ColumnType.FLOAT, Aggregate.MEAN),
                    spec("count", ColumnType.DOUBLE, Aggregate.COUNT),
                    spec("long", ColumnType.LONG, Aggregate.values()),
                    spec("decimal", ColumnType.decimal(18, 2), Aggregate.SUM),
                    spec("extremes", ColumnType.DOUBLE, Aggregate.MIN, Aggregate.MAX));

    private final BufferAllocator allocator = new RootAllocator();

    private static ValueSpec spec(String name, ColumnType type, Aggregate... aggregates) {
        return new ValueSpec(name, type, List.of(aggregates));
    }

    @AfterEach
    void givesAllBack() {
        allocator.close();
    }

    /** Rows and groups, through blocks and from table to table, against objects on the heap. */
    @ParameterizedTest
    @ValueSource(ints = {1, 3, 100, 5_000})
    void keepsWhatPartialsKeep(int keys) throws IOException {
        Random random = new Random(SEED + keys);
        Map<String, Partial> expected = new HashMap<>();
        try (GroupTable table = new GroupTables(allocator, VALUES).newTable();
                GroupTable merged = new GroupTables(allocator, VALUES).newTable()) {
            KeyBytes key = new KeyBytes();
            BlockWriter writer = new BlockWriter(7, VALUES);
            BlockReader reader = new BlockReader(VALUES);
            RowValues row = new RowValues(VALUES.size());
            for (int i = 0; i < 20_000; i++) {
                String text = key(random.nextInt(keys));
                Partial partial = expected.computeIfAbsent(text, k -> new Partial(VALUES));
                fill(row, random);
                addTo(partial, row);
                byte[] bytes = text.getBytes();
                key.set(bytes, 0, bytes.length);
                if (random.nextInt(3) == 0) {
                    writer.row(key, 5, 6, row);
                } else {
                    addTo(table, row, key);
                }
                if (random.nextInt(100) == 0) {
                    GroupCursor cursor = table.cursor();
                    while (cursor.next()) {
                        cursor.key(key);
                        if (random.nextBoolean()) {
                            writer.group(key, -9, 6, cursor);
                        } else {
                            merged.merge(merged.group(key.array(), 0, key.length(), 7), cursor);
                        }
                    }
                    table.clear();
                    drain(writer, reader, merged);
                }
            }
            GroupCursor rest = table.cursor();
            while (rest.next()) {
                rest.key(key);
                merged.merge(merged.group(key.array(), 0, key.length(), 7), rest);
            }
            drain(writer, reader, merged);
            assertThat(merged.size()).isEqualTo(expected.size());
            assertThat(merged.changed()).isEqualTo(expected.size());
            GroupCursor cursor = merged.cursor();
            while (cursor.next()) {
                cursor.key(key);
                String text = new String(key.copy());
                Partial partial = new Partial(VALUES);
                PartialSource.add(cursor, VALUES.size(), partial);
                assertThat(partial).as("seed=%d, key=%s", SEED, text).isEqualTo(expected.get(text));
                assertThat(cursor.keyGroup()).isEqualTo(7);
                int found = merged.find(key.array(), 0, key.length());
                assertThat(merged.cursor().move(found).count(2)).isEqualTo(cursor.count(2));
            }
        }
    }

    /** Without a sum of doubles all rows are alike, and are added to in a shorter way. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void keepsExtremesOfDoublesWithoutSumsOfSuch(boolean besideAnInteger) {
        List<ValueSpec> values = new ArrayList<>();
        values.add(spec("extremes", ColumnType.DOUBLE, Aggregate.MIN, Aggregate.MAX));
        if (besideAnInteger) {
            values.add(spec("long", ColumnType.LONG, Aggregate.SUM, Aggregate.MIN));
        }
        try (GroupTable table = new GroupTables(allocator, values).newTable()) {
            KeyBytes key = new KeyBytes();
            key.setLong(1);
            int group = table.group(key.array(), 0, 8, 0);
            for (double value : new double[] {-1.5, -0.0, -3e300, 2.5, 0.0}) {
                table.add(group, 0, Double.doubleToLongBits(value));
                if (besideAnInteger) {
                    table.add(group, 1, -7);
                }
            }
            GroupCursor cursor = table.cursor().move(group);
            assertThat(DoubleOrder.toBits(cursor.min(0)))
                    .isEqualTo(Double.doubleToLongBits(-3e300));
            assertThat(DoubleOrder.toBits(cursor.max(0))).isEqualTo(Double.doubleToLongBits(2.5));
        }
    }

    @Test
    void findsNothingThatIsNotThere() {
        try (GroupTable table = new GroupTables(allocator, VALUES).newTable()) {
            KeyBytes key = new KeyBytes();
            key.setLong(1);
            assertThat(table.find(key.array(), 0, 8)).isEqualTo(-1);
            int group = table.group(key.array(), 0, 8, 0);
            assertThat(table.find(key.array(), 0, 8)).isEqualTo(group);
            assertThat(table.find(key.array(), 0, 7)).isEqualTo(-1);
        }
    }

    @Test
    void carriesBinsBeforeTheyOverflow() {
        List<ValueSpec> mean = List.of(spec("", ColumnType.DOUBLE, Aggregate.MEAN));
        try (GroupTable table = new GroupTables(allocator, mean).newTable()) {
            KeyBytes key = new KeyBytes();
            key.setLong(42);
            int group = table.group(key.array(), 0, 8, 0);
            Partial partial = new Partial(mean);
            partial.add(0, Double.doubleToLongBits(Double.MAX_VALUE));
            PartialSource source = new PartialSource(1);
            Partial expected = new Partial(mean);
            for (int i = 0; i < 70; i++) {
                table.merge(group, source.open(partial));
                expected.merge(partial);
                Partial twice = partial.copy();
                partial.merge(twice);
                partial.column(0).addCount(1L << 29);
            }
            Partial actual = new Partial(mean);
            PartialSource.add(table.cursor().move(group), 1, actual);
            assertThat(actual).isEqualTo(expected);
        }
    }

    /** The last of 2^30 values, whose sum needs one more bin. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void aValueChangesNothingWhereThereIsNoMemoryToCarry(int value) {
        List<ValueSpec> values =
                List.of(
                        spec("double", ColumnType.DOUBLE, Aggregate.MEAN),
                        spec("long", ColumnType.LONG, Aggregate.VARIANCE));
        long word = value == 0 ? Double.doubleToLongBits(7) : 7;
        Partial partial = new Partial(values);
        partial.add(value, word);
        GroupSource source = new PartialSource(2).open(partial);
        RowLayout narrow = new RowLayout(values, 0);
        long limit = allocator.getLimit();
        try (RowPages rows = new RowPages(allocator, narrow)) {
            RowWords words = new RowWords(rows, new RowMarks(rows), narrow);
            int row = rows.add();
            words.add(row, value, word);
            RowLayout layout = rows.layout(row);
            long count = rows.address(row) + layout.counts[value];
            MemoryUtil.putLong(count, (1L << 30) - 1);
            int lastBin =
                    value == 0
                            ? layout.sums[0] + Long.BYTES * (layout.bins[0] - 1)
                            : layout.squares[1]
                                    + Long.BYTES * (SquareGrid.BINS_PER_BIN * layout.bins[1] - 1);
            MemoryUtil.putLong(rows.address(row) + lastBin, 1L << 61);
            long[] before = words(rows.address(row), layout.cells);
            allocator.setLimit(allocator.getAllocatedMemory());
            assertThatThrownBy(() -> words.add(row, value, word))
                    .isInstanceOf(OutOfMemoryException.class);
            assertThatThrownBy(
                            () -> {
                                words.prepare(row, source);
                                words.merge(row, source);
                            })
                    .isInstanceOf(OutOfMemoryException.class);
            assertThat(words(rows.address(row), layout.cells)).isEqualTo(before);
            allocator.setLimit(limit);
            words.add(row, value, word);
            RowLayout wider = rows.layout(row);
            assertThat(wider.bins[value]).isEqualTo(layout.bins[value] + 1);
            assertThat(MemoryUtil.getLong(rows.address(row) + wider.counts[value]))
                    .isEqualTo(1L << 30);
        }
    }

    private static long[] words(long address, int bytes) {
        return IntStream.range(0, bytes / Long.BYTES)
                .mapToLong(i -> MemoryUtil.getLong(address + (long) Long.BYTES * i))
                .toArray();
    }

    @Test
    void aValueFarFromOthersWidensOnePage() {
        List<ValueSpec> mean = List.of(spec("", ColumnType.DOUBLE, Aggregate.MEAN));
        try (GroupTable table = new GroupTables(allocator, mean).newTable()) {
            KeyBytes key = new KeyBytes();
            for (int i = 0; i < 100_000; i++) {
                key.setLong(i);
                int group = table.group(key.array(), 0, 8, 0);
                table.add(group, 0, Double.doubleToLongBits(20 + i % 10));
            }
            long before = allocator.getAllocatedMemory();
            key.setLong(5);
            int group = table.group(key.array(), 0, 8, 0);
            table.add(group, 0, Double.doubleToLongBits(1e300));
            assertThat(allocator.getAllocatedMemory() - before).isLessThan(2 << 20);
            // Words: count, specials, 3 bins; length and key; slots.
            assertThat(before / 100_000).isLessThan(5 * 8 + 64);
        }
    }

    @Test
    void outOfMemoryChangesNoGroup() {
        try (BufferAllocator small = allocator.newChildAllocator("small", 0, 1 << 16);
                GroupTable table = new GroupTables(small, VALUES).newTable()) {
            KeyBytes key = new KeyBytes();
            assertThatThrownBy(
                            () -> {
                                for (int i = 0; i < 100_000; i++) {
                                    key.setLong(i);
                                    int group = table.group(key.array(), 0, 8, 0);
                                    table.add(group, 0, Double.doubleToLongBits(i));
                                }
                            })
                    .isInstanceOf(OutOfMemoryException.class);
            int groups = table.size();
            GroupCursor cursor = table.cursor();
            int read = 0;
            while (cursor.next()) {
                read++;
            }
            assertThat(read).isEqualTo(groups);
        }
    }

    private static void drain(BlockWriter writer, BlockReader reader, GroupTable into)
            throws IOException {
        if (writer.isEmpty()) {
            return;
        }
        GroupBlock block = writer.take();
        DataOutputSerializer output = new DataOutputSerializer(64);
        block.write(output);
        DataOutputSerializer copied = new DataOutputSerializer(64);
        GroupBlock.copy(new DataInputDeserializer(output.getCopyOfBuffer()), copied);
        GroupBlock read = GroupBlock.read(new DataInputDeserializer(copied.getCopyOfBuffer()));
        assertThat(read).isEqualTo(block);
        reader.open(read);
        int records = 0;
        while (reader.next()) {
            int group =
                    into.group(reader.bytes(), reader.keyAt(), reader.keyLength(), read.keyGroup());
            reader.addTo(into, group);
            assertThat(reader.start()).isEqualTo(reader.isGroup() ? -9 : 5);
            assertThat(reader.end()).isEqualTo(6);
            records++;
        }
        assertThat(records).isEqualTo(block.records());
    }

    private static String key(int number) {
        return number % 3 == 0 ? "k" + number : "key-" + "x".repeat(number % 400) + number;
    }

    private static void fill(RowValues row, Random random) {
        for (int value = 0; value < VALUES.size(); value++) {
            if (random.nextInt(20) == 0) {
                row.putNull(value);
            } else if (VALUES.get(value).type().isFloating()) {
                row.putWord(value, Double.doubleToLongBits(number(random)));
            } else {
                row.putWord(value, random.nextBoolean() ? random.nextLong() : random.nextInt(1000));
            }
        }
    }

    private static double number(Random random) {
        return switch (random.nextInt(200)) {
            case 0 -> Double.longBitsToDouble(random.nextLong());
            case 1 -> Double.POSITIVE_INFINITY;
            case 2 -> Double.NaN;
            case 3, 4, 5, 6 -> -0.0;
            case 7 -> Double.MIN_VALUE;
            case 8 -> -Double.MAX_VALUE;
            default -> (random.nextInt(2000) - 1000) / 10.0;
        };
    }

    private static void addTo(Partial partial, RowValues row) {
        for (int value = 0; value < VALUES.size(); value++) {
            if (!row.isNull(value)) {
                partial.add(value, canonical(row, value));
            }
        }
    }

    private static void addTo(GroupTable table, RowValues row, KeyBytes key) {
        int group = table.group(key.array(), 0, key.length(), 7);
        for (int value = 0; value < VALUES.size(); value++) {
            if (!row.isNull(value)) {
                table.add(group, value, canonical(row, value));
            }
        }
    }

    private static long canonical(RowValues row, int value) {
        long word = row.word(value);
        return VALUES.get(value).type().isFloating()
                ? Double.doubleToLongBits(Double.longBitsToDouble(word))
                : word;
    }
}
