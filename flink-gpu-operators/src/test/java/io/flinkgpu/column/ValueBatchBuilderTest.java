package io.flinkgpu.column;

import io.flinkgpu.api.ColumnType;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.IntVector;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Numbers to columns, limits, and who owns the buffers.
 *
 * <p>Covers: ValueBatchBuilder.
 */
class ValueBatchBuilderTest {

    private static final List<ColumnType> LONG_AND_FLOAT =
            List.of(ColumnType.LONG, ColumnType.FLOAT);

    private final BufferAllocator allocator = new RootAllocator(1 << 20);

    @AfterEach
    void nothingIsHeld() {
        allocator.close();
    }

    @Test
    void rowsFollowEachOther() {
        try (ValueBatchBuilder builder =
                new ValueBatchBuilder(allocator, 100, 10_000, LONG_AND_FLOAT)) {
            for (int row = 0; row < 20; row++) {
                builder.append(row, -row, values(row == 9 ? null : 7L - row, row / 2.0));
            }
            builder.append(20, Long.MIN_VALUE, values(Long.MAX_VALUE, null));
            try (ColumnBatch batch = builder.build()) {
                assertThat(builder.rows()).isZero();
                assertThat(batch.rows()).isEqualTo(21);
                assertThat(batch.vector(0)).isInstanceOf(IntVector.class);
                assertThat(batch.vector(1)).isInstanceOf(BigIntVector.class);
                assertThat(batch.vector(2)).isInstanceOf(BigIntVector.class);
                assertThat(batch.vector(3)).isInstanceOf(Float8Vector.class);
                NumberView integers = batch.numbers(2);
                assertThat(integers.nulls()).isEqualTo(1);
                for (int row = 0; row < 20; row++) {
                    assertThat(batch.numbers(0).intAt(row)).isEqualTo(row);
                    assertThat(batch.numbers(1).wordAt(row)).isEqualTo(-row);
                    assertThat(integers.isNull(row)).isEqualTo(row == 9);
                    assertThat(batch.vector(2).getObject(row))
                            .isEqualTo(row == 9 ? null : 7L - row);
                    assertThat(batch.vector(3).getObject(row)).isEqualTo(row / 2.0);
                }
                assertThat(batch.vector(1).getObject(20)).isEqualTo(Long.MIN_VALUE);
                assertThat(batch.vector(2).getObject(20)).isEqualTo(Long.MAX_VALUE);
                assertThat(batch.vector(3).isNull(20)).isTrue();
            }
        }
    }

    @Test
    void aBatchForgetsTheNullsOfTheOneBefore() {
        try (ValueBatchBuilder builder =
                new ValueBatchBuilder(allocator, 100, 10_000, LONG_AND_FLOAT)) {
            builder.append(1, 1, values(null, null));
            builder.build().close();
            builder.append(1, 1, values(5L, 2.0));
            try (ColumnBatch batch = builder.build()) {
                assertThat(batch.numbers(2).nulls()).isZero();
                assertThat(batch.vector(2).getObject(0)).isEqualTo(5L);
            }
        }
    }

    /** A row of two values has 28 bytes and two bits, in bitmaps of whole bytes. */
    @ParameterizedTest
    @CsvSource({
        "100, 10000, 100",
        "1, 10000, 1",
        "100, 0, 1",
        "100, 29, 1",
        "100, 30, 1",
        "100, 57, 1",
        "100, 58, 2",
        "100, 225, 7",
        "100, 226, 8",
        "100, 255, 8",
        "100, 256, 9",
        "100, 2147483647, 100",
        "2147483647, 256, 9"
    })
    void isFullWhenAnotherRowDoesNotFit(int maxRows, int maxBytes, int rows) {
        try (ValueBatchBuilder builder =
                new ValueBatchBuilder(allocator, maxRows, maxBytes, LONG_AND_FLOAT)) {
            int appended = 0;
            for (; !builder.isFull(); appended++) {
                builder.append(1, 2, values(3L, 4.0));
            }
            assertThat(appended).isEqualTo(rows);
            assertThat(builder.rows()).isEqualTo(rows);
            assertThat(builder.bytes()).isEqualTo(28 * rows + 2 * ((rows + 7) / 8));
            assertThat(allocator.getAllocatedMemory())
                    .isLessThanOrEqualTo(
                            ValueBatchBuilder.fullBatchBytes(maxRows, maxBytes, LONG_AND_FLOAT));
            assertThat(builder.memoryBytes()).isEqualTo(allocator.getAllocatedMemory());
            assertThat(builder.isOutOfRows()).isEqualTo(rows == maxRows);
            assertThat(builder.append(1, 2, values(3L, 4.0))).isFalse();
            assertThat(builder.rows()).isEqualTo(rows);
        }
    }

    @Test
    void takesNoMemoryWithoutRows() {
        ValueBatchBuilder builder = new ValueBatchBuilder(allocator, 100, 10_000, LONG_AND_FLOAT);
        assertThat(allocator.getAllocatedMemory()).isZero();
        assertThatThrownBy(builder::build).hasMessage("a batch needs a row: rows=0");
        builder.append(1, 2, values(3L, 4.0));
        builder.close();
        assertThat(allocator.getAllocatedMemory()).isZero();
        assertThat(builder.rows()).isZero();
    }

    @Test
    void staysUsableWhenThereIsNoMemory() {
        try (ValueBatchBuilder builder =
                new ValueBatchBuilder(allocator, 20_000, 1 << 20, LONG_AND_FLOAT)) {
            try (var taken = allocator.buffer(1 << 19)) {
                assertThatThrownBy(() -> builder.append(1, 2, values(3L, 4.0)))
                        .isInstanceOf(OutOfMemoryException.class);
                assertThat(allocator.getAllocatedMemory()).isEqualTo(taken.capacity());
            }
            builder.append(1, 2, values(3L, 4.0));
            assertThat(builder.rows()).isEqualTo(1);
        }
    }

    private static RowValues values(Long integer, Double real) {
        RowValues values = new RowValues(2);
        if (integer == null) {
            values.putNull(0);
        } else {
            values.putWord(0, integer);
        }
        if (real == null) {
            values.putNull(1);
        } else {
            values.putWord(1, Double.doubleToLongBits(real));
        }
        return values;
    }
}
