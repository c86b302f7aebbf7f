package io.flinkgpu.column;

import io.flinkgpu.api.ColumnType;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Rows to columns of several types, limits, and who owns the buffers.
 *
 * <p>Covers: RowBatchBuilder.
 */
class RowBatchBuilderTest {

    private static final List<ColumnType> ALL =
            List.of(ColumnType.TEXT, ColumnType.LONG, ColumnType.BOOLEAN, ColumnType.DOUBLE);
    private static final List<ColumnType> TWO_TEXTS = List.of(ColumnType.TEXT, ColumnType.TEXT);

    private final BufferAllocator allocator = new RootAllocator(1 << 20);

    @AfterEach
    void nothingIsHeld() {
        allocator.close();
    }

    @Test
    void columnsHaveTheirNamesTypesAndNulls() {
        try (RowBatchBuilder builder =
                new RowBatchBuilder(allocator, 100, 1000, List.of("t", "l", "b", "d"), ALL)) {
            assertThat(append(builder, "é", -1L, true, 0.5)).isTrue();
            assertThat(append(builder, null, null, null, null)).isTrue();
            assertThat(append(builder, "", Long.MIN_VALUE, false, Double.NaN)).isTrue();
            assertThat(builder.rows()).isEqualTo(3);
            assertThat(builder.bytes()).isEqualTo(2 + 3 * (8 + 1 + 8));
            try (ColumnBatch batch = builder.build()) {
                assertThat(builder.rows()).isZero();
                assertThat(batch.rows()).isEqualTo(3);
                List<String> names = new ArrayList<>();
                for (int i = 0; i < 4; i++) {
                    names.add(batch.vector(i).getName());
                    assertThat(batch.vector(i).getNullCount()).isEqualTo(1);
                }
                assertThat(names).containsExactly("t", "l", "b", "d");
                assertThat(values(batch, 0)).containsExactly("é", -1L, true, 0.5);
                assertThat(values(batch, 1)).containsExactly(null, null, null, null);
                assertThat(values(batch, 2)).containsExactly("", Long.MIN_VALUE, false, Double.NaN);
            }
        }
    }

    /** Offsets are copied, and bitmaps that start within a byte. */
    @Test
    void aSliceThatThereIsNoMemoryForHoldsNone() {
        try (RowBatchBuilder builder =
                new RowBatchBuilder(allocator, 100, 1000, List.of("t", "l", "b", "d"), ALL)) {
            for (int row = 0; row < 30; row++) {
                append(builder, "text", 1L, true, 0.5);
            }
            try (ColumnBatch batch = builder.build()) {
                long held = allocator.getAllocatedMemory();
                int refused = 0;
                for (int free = 0; free < 200; free++) {
                    allocator.setLimit(held + free);
                    try (ColumnBatch slice = batch.slice(3, 20)) {
                        assertThat(values(slice, 19)).containsExactly("text", 1L, true, 0.5);
                    } catch (OutOfMemoryException e) {
                        refused++;
                    }
                    assertThat(allocator.getAllocatedMemory()).as("free=%d", free).isEqualTo(held);
                }
                assertThat(refused).isBetween(1, 199);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void batchesHoldTheRowsAndStayInTheirLimits(long seed) {
        Random random = new Random(seed);
        List<List<Object>> expected = new ArrayList<>();
        List<List<Object>> actual = new ArrayList<>();
        try (RowBatchBuilder builder =
                new RowBatchBuilder(
                        allocator,
                        20,
                        400,
                        List.of("a", "b", "c", "d", "e"),
                        List.of(
                                ColumnType.TEXT,
                                ColumnType.LONG,
                                ColumnType.TEXT,
                                ColumnType.BOOLEAN,
                                ColumnType.DOUBLE))) {
            for (int i = 0; i < 500; i++) {
                Object[] row = {
                    random.nextInt(5) == 0 ? null : "x".repeat(random.nextInt(30)),
                    random.nextInt(5) == 0 ? null : random.nextLong(),
                    random.nextInt(50) == 0 ? "y".repeat(600) : "z".repeat(random.nextInt(4)),
                    random.nextInt(5) == 0 ? null : random.nextBoolean(),
                    random.nextDouble()
                };
                expected.add(Arrays.asList(row));
                if (!append(builder, row)) {
                    assertThat(builder.isFull()).isTrue();
                    drain(builder, actual);
                    assertThat(append(builder, row)).as("seed=%d", seed).isTrue();
                }
                assertThat(builder.rows()).isLessThanOrEqualTo(20);
                assertThat(builder.rows() == 1 || builder.bytes() <= 400).isTrue();
            }
            drain(builder, actual);
        }
        assertThat(actual).as("seed=%d", seed).isEqualTo(expected);
    }

    /** Of 1,000 bytes for text, a column gets what it needs and one sixteenth. */
    @Test
    void textsAreGivenTheRoomThatTheBatchBeforeNeeded() {
        try (RowBatchBuilder builder =
                new RowBatchBuilder(allocator, 1000, 1000, List.of("a", "b"), TWO_TEXTS)) {
            int first = fill(builder, "x".repeat(32), "y");
            int second = fill(builder, "x".repeat(32), "y");
            // Buffers have a power of two of bytes: 512 at first, 1,024 then.
            assertThat(first).isEqualTo(512 / 32);
            assertThat(second).isEqualTo(1000 / 33);
        }
    }

    @Test
    void aRecordLargerThanABatchIsAlone() {
        try (RowBatchBuilder builder =
                new RowBatchBuilder(allocator, 10, 64, List.of("a", "b"), TWO_TEXTS)) {
            append(builder, "x", "y");
            assertThat(append(builder, "x".repeat(100), "y".repeat(200))).isFalse();
            assertThat(builder.rows()).isEqualTo(1);
            assertThat(builder.isOutOfRows()).isFalse();
            builder.build().close();
            assertThat(append(builder, "x".repeat(100), "y".repeat(200))).isTrue();
            assertThat(builder.isFull()).isTrue();
            builder.build().close();
            assertThat(append(builder, "x", "y")).isTrue();
            assertThat(builder.isFull()).isFalse();
        }
    }

    @Test
    void rowsOfNumbersAreLimitedByTheirBytes() {
        try (RowBatchBuilder builder =
                new RowBatchBuilder(allocator, 100, 35, List.of("a"), List.of(ColumnType.LONG))) {
            int rows = 0;
            while (append(builder, 1L)) {
                rows++;
            }
            assertThat(rows).isEqualTo(4);
            assertThat(builder.isOutOfRows()).isTrue();
        }
    }

    @Test
    void staysUsableWhenThereIsNoMemory() {
        try (RowBatchBuilder builder =
                new RowBatchBuilder(allocator, 10, 64, List.of("a", "b"), TWO_TEXTS)) {
            String tooLarge = "x".repeat(2 << 20);
            assertThatThrownBy(() -> append(builder, "", tooLarge))
                    .isInstanceOf(OutOfMemoryException.class);
            assertThat(allocator.getAllocatedMemory()).isZero();
            builder.limitMemory(1024);
            assertThatThrownBy(() -> append(builder, "x".repeat(1024), ""))
                    .isInstanceOf(OutOfMemoryException.class)
                    .hasMessageEndingWith("bytes: maxMemoryBytes=1024");
            assertThat(append(builder, "x", "y")).isTrue();
        }
    }

    @Test
    void knowsTheMemoryThatAFullBatchTakes() {
        for (List<ColumnType> types :
                List.of(
                        TWO_TEXTS,
                        ALL,
                        List.of(ColumnType.TEXT),
                        List.of(ColumnType.LONG, ColumnType.BOOLEAN))) {
            try (RowBatchBuilder builder =
                    new RowBatchBuilder(allocator, 100, 3000, names(types), types)) {
                Object[] row = new Object[types.size()];
                append(builder, row);
                assertThat(builder.memoryBytes())
                        .isEqualTo(allocator.getAllocatedMemory())
                        .isPositive()
                        .isLessThanOrEqualTo(RowBatchBuilder.fullBatchBytes(100, 3000, types));
            }
        }
    }

    @Test
    void aBatchForgetsTheNullsOfTheOneBefore() {
        try (RowBatchBuilder builder =
                new RowBatchBuilder(allocator, 10, 1000, List.of("t", "l", "b", "d"), ALL)) {
            append(builder, null, null, null, null);
            builder.build().close();
            append(builder, "x", 1L, true, 1.0);
            try (ColumnBatch batch = builder.build()) {
                assertThat(values(batch, 0)).containsExactly("x", 1L, true, 1.0);
                assertThat(batch.vector(0).getNullCount()).isZero();
            }
        }
    }

    @Test
    void slicesKeepTheirRows() {
        try (RowBatchBuilder builder =
                new RowBatchBuilder(allocator, 100, 10_000, List.of("t", "l", "b", "d"), ALL)) {
            for (int i = 0; i < 20; i++) {
                append(builder, "r" + i, (long) i, i % 3 == 0, i % 4 == 0 ? null : i / 2.0);
            }
            try (ColumnBatch batch = builder.build();
                    ColumnBatch slice = batch.slice(5, 11)) {
                for (int i = 0; i < 11; i++) {
                    assertThat(values(slice, i)).isEqualTo(values(batch, i + 5));
                }
            }
        }
    }

    private static int fill(RowBatchBuilder builder, Object... row) {
        int rows = 0;
        while (append(builder, row)) {
            rows++;
        }
        builder.build().close();
        return rows;
    }

    private static void drain(RowBatchBuilder builder, List<List<Object>> to) {
        try (ColumnBatch batch = builder.build()) {
            for (int row = 0; row < batch.rows(); row++) {
                to.add(values(batch, row));
            }
        }
    }

    private static List<String> names(List<ColumnType> types) {
        return types.stream().map(type -> "c").toList();
    }

    private static boolean append(RowBatchBuilder builder, Object... row) {
        RowValues values = new RowValues(row.length);
        for (int i = 0; i < row.length; i++) {
            if (row[i] == null) {
                values.putNull(i);
            } else if (row[i] instanceof String text) {
                values.putText(i, text);
            } else if (row[i] instanceof Long number) {
                values.putWord(i, number);
            } else if (row[i] instanceof Boolean flag) {
                values.putWord(i, flag ? 1 : 0);
            } else {
                values.putWord(i, Double.doubleToLongBits((Double) row[i]));
            }
        }
        return builder.append(values);
    }

    private static List<Object> values(ColumnBatch batch, int row) {
        List<Object> values = new ArrayList<>();
        for (int column = 0; column < batch.columns(); column++) {
            Object value = batch.vector(column).getObject(row);
            values.add(
                    value instanceof org.apache.arrow.vector.util.Text ? value.toString() : value);
        }
        return values;
    }
}
