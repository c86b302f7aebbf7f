package io.flinkgpu.groups;

import io.flinkgpu.api.Aggregate;
import io.flinkgpu.api.CellAggregate;
import io.flinkgpu.api.CellAggregate.Kind;
import io.flinkgpu.api.ColumnType;
import io.flinkgpu.api.ValueSpec;
import io.flinkgpu.cells.RowCells;
import io.flinkgpu.column.RowValues;
import io.flinkgpu.state.Partial;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Groups that keep cells, beside words that make their rows longer.
 *
 * <p>Covers: TableCells, CellArena, GroupResults, TableCell.
 */
class TableCellsTest {

    private static final long SEED = Long.getLong("groups.seed", System.nanoTime());

    private static final List<ValueSpec> VALUES =
            List.of(
                    new ValueSpec(
                            "d",
                            ColumnType.DOUBLE,
                            List.of(
                                    Aggregate.SUM,
                                    new CellAggregate(Kind.ARG_MAX, "at", ColumnType.LONG, 0),
                                    new CellAggregate(Kind.TOP, "tops", ColumnType.TEXT, 3))),
                    new ValueSpec(
                            "t",
                            ColumnType.TEXT,
                            List.of(
                                    new CellAggregate(Kind.MIN, "", null, 0),
                                    Aggregate.COUNT,
                                    new CellAggregate(Kind.LAST, "", null, 0))));

    private final BufferAllocator allocator = new RootAllocator();

    @AfterEach
    void givesAllBack() {
        allocator.close();
    }

    /** Rows and groups, through blocks and from table to table, against objects on the heap. */
    @ParameterizedTest
    @ValueSource(ints = {1, 3, 200})
    void keepWhatPartialsKeep(int keys) {
        Random random = new Random(SEED + keys);
        Map<Long, Partial> expected = new HashMap<>();
        GroupTables tables = new GroupTables(allocator, VALUES);
        BlockWriter writer = new BlockWriter(7, VALUES);
        RowCells cells = new RowCells(VALUES);
        RowValues row = cells.newRow();
        KeyBytes key = new KeyBytes();
        try (GroupTable table = tables.newTable();
                GroupTable merged = tables.newTable()) {
            for (int i = 0; i < 5_000; i++) {
                long number = random.nextInt(keys);
                fill(row, cells, random);
                expected.computeIfAbsent(number, k -> new Partial(VALUES)).add(row);
                key.setLong(number);
                if (random.nextInt(3) == 0) {
                    writer.row(key, 5, 6, row);
                } else {
                    add(table, key, row);
                }
                if (random.nextInt(500) == 0 || i == 4_999) {
                    assertThat(table.bytes() + merged.bytes())
                            .isEqualTo(allocator.getAllocatedMemory());
                    drain(table, merged, writer, key, random);
                }
            }
            assertThat(merged.size()).isEqualTo(expected.size());
            assertThat(merged.changed()).isEqualTo(merged.size());
            GroupResults results = new GroupResults(VALUES);
            for (GroupCursor group = merged.cursor(); group.next(); ) {
                group.key(key);
                Partial partial = new Partial(VALUES);
                PartialSource.add(group, VALUES.size(), partial);
                Partial of = expected.get((long) KeyBytes.LONGS.get(key.array(), 0));
                assertThat(partial).as("seed=%d", SEED).isEqualTo(of);
                assertThat(results.of(group)).isEqualTo(of.results(VALUES));
            }
        }
    }

    private static void drain(
            GroupTable table, GroupTable merged, BlockWriter writer, KeyBytes key, Random random) {
        for (GroupCursor group = table.cursor(); group.next(); ) {
            group.key(key);
            if (random.nextBoolean()) {
                writer.group(key, 5, 6, group);
            } else {
                merged.merge(merged.group(key.array(), 0, key.length(), 7), group);
            }
        }
        table.clear();
        if (writer.isEmpty()) {
            return;
        }
        BlockReader reader = new BlockReader(VALUES).open(writer.take());
        while (reader.next()) {
            reader.addTo(
                    merged, merged.group(reader.bytes(), reader.keyAt(), reader.keyLength(), 7));
        }
    }

    private static void add(GroupTable table, KeyBytes key, RowValues row) {
        int group = table.group(key.array(), 0, key.length(), 7);
        for (int column = 0; column < table.columns(); column++) {
            if (!row.isNull(column)) {
                table.add(group, column, row);
            }
        }
    }

    private static void fill(RowValues row, RowCells cells, Random random) {
        row.putWord(0, Double.doubleToLongBits(Math.scalb(1.0, random.nextInt(200) - 100)));
        row.putText(1, "t".repeat(random.nextInt(random.nextInt(20) == 0 ? 20_000 : 40)));
        int others = row.columns() - 2;
        row.putWord(others, random.nextInt());
        row.putText(others + 1, "o" + random.nextInt(1000));
        for (int column : new int[] {0, 1, others, others + 1}) {
            if (random.nextInt(6) == 0) {
                row.putNull(column);
            }
        }
        cells.fill(row, random.nextInt(100));
    }

    @Test
    void memoryOfCellsThatGrewIsUsedAgain() {
        RowCells cells = new RowCells(VALUES);
        RowValues row = cells.newRow();
        KeyBytes key = new KeyBytes();
        try (GroupTable table = new GroupTables(allocator, VALUES).newTable()) {
            Random random = new Random(SEED);
            long after = 0;
            for (int round = 0; round < 50; round++) {
                for (int i = 0; i < 100; i++) {
                    fill(row, cells, random);
                    key.setLong(i);
                    add(table, key, row);
                }
                for (GroupCursor group = table.cursor(); group.next(); ) {
                    group.key(key);
                    table.reset(table.find(key.array(), 0, key.length()));
                }
                after = round == 25 ? allocator.getAllocatedMemory() : after;
            }
            assertThat(allocator.getAllocatedMemory()).as("seed=%d", SEED).isLessThan(2 * after);
        }
    }

    /** Each cell is merged at once or not at all, as are the words and cells of a group. */
    @Test
    void nothingChangesWithoutMemory() {
        Random random = new Random(SEED);
        RowCells cells = new RowCells(VALUES);
        RowValues row = cells.newRow();
        KeyBytes key = new KeyBytes();
        key.setLong(1);
        int refused = 0;
        for (int limit = 3; limit <= 64; limit++) {
            try (BufferAllocator limited = new RootAllocator(limit << 10);
                    GroupTable table = new GroupTables(limited, VALUES).newTable();
                    GroupTable more = new GroupTables(allocator, VALUES).newTable()) {
                int group = table.group(key.array(), 0, key.length(), 7);
                int other = more.group(key.array(), 0, key.length(), 7);
                Partial expected = new Partial(VALUES);
                for (int i = 0; i < 20; i++) {
                    fill(row, cells, random);
                    add(more, key, row);
                    GroupCursor from = more.cursor().move(other);
                    try {
                        table.merge(group, from);
                        PartialSource.add(from, VALUES.size(), expected);
                    } catch (OutOfMemoryException e) {
                        refused++;
                    }
                    Partial kept = new Partial(VALUES);
                    PartialSource.add(table.cursor().move(group), VALUES.size(), kept);
                    assertThat(kept).as("seed=%d", SEED).isEqualTo(expected);
                }
            }
        }
        assertThat(refused).isPositive();
    }

    @Test
    void aCellIsNoLongerThanItsFunctionSaid() {
        try (CellArena arena = new CellArena(allocator)) {
            TableCell cell = new TableCell(arena);
            try (var row = allocator.buffer(Long.BYTES)) {
                row.setLong(0, CellArena.NONE);
                cell.open(row.memoryAddress()).reserve(8);
                cell.resize(8);
                assertThatThrownBy(() -> cell.resize(9))
                        .hasMessage(
                                "a cell must not become longer than its function said: length=9,"
                                        + " most=8");
            }
        }
    }
}
