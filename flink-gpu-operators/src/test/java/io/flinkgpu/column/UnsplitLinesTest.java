package io.flinkgpu.column;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Lines that are one row, and the rows that are made of it.
 *
 * <p>Covers: ColumnBatch.
 */
class UnsplitLinesTest {

    private final BufferAllocator allocator = new RootAllocator(1 << 20);

    @AfterEach
    void nothingIsHeld() {
        allocator.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"\n", "a", "a\n", "\n\n", "a\nbc\n\nd", "a\nbc\n\nd\n"})
    void linesThatStayUnsplitAreABatchOfTheirOwn(String lines) throws IOException {
        byte[] bytes = lines.getBytes(StandardCharsets.UTF_8);
        BatchBuilder.RowWriter writer = BatchBuilder.RowWriter.of(bytes);
        boolean isTerminated = lines.endsWith("\n");
        List<String> split = new ArrayList<>();
        try (BatchBuilder builder = new BatchBuilder(allocator, 10, 100, 1)) {
            assertThat(builder.appendUnsplitLines(bytes.length, isTerminated, writer)).isTrue();
            assertThat(builder.isFull()).isTrue();
            assertThat(builder.appendLines(bytes)).isFalse();
            assertThat(builder.appendUnsplitLines(bytes.length, isTerminated, writer)).isFalse();
            try (ColumnBatch batch = builder.build();
                    ColumnBatch rows = batch.splitLines(allocator)) {
                assertThat(batch.holdsLines()).isTrue();
                assertThat(rows(batch.text(0)))
                        .containsExactly(isTerminated ? lines : lines + "\n");
                split.addAll(rows(rows.text(0)));
                assertThat(rows.holdsLines()).isFalse();
            }
            assertThat(builder.appendLines(bytes)).isTrue();
            try (ColumnBatch batch = builder.build()) {
                assertThat(batch.holdsLines()).isFalse();
                assertThat(split).isEqualTo(rows(batch.text(0)));
            }
        }
    }

    @Test
    void aWriterThatFailsLeavesNoBatch() throws IOException {
        try (BatchBuilder builder = new BatchBuilder(allocator, 10, 100, 1)) {
            assertThatThrownBy(
                            () ->
                                    builder.appendUnsplitLines(
                                            4,
                                            true,
                                            (address, from, length) -> {
                                                throw new IOException("unreadable");
                                            }))
                    .isInstanceOf(IOException.class)
                    .hasMessage("unreadable");
            assertThat(builder.rows()).isZero();
            assertThat(builder.holdsLines()).isFalse();
            assertThat(allocator.getAllocatedMemory()).isZero();
            assertThat(append(builder, "a\nb\n")).isTrue();
        }
    }

    /** Dropped lines do not make the next batch one that holds lines. */
    @Test
    void aBatchThatWasDroppedLeavesNoTrace() throws IOException {
        BatchBuilder builder = new BatchBuilder(allocator, 10, 100, 1);
        append(builder, "a\nb\n");
        builder.close();
        assertThat(builder.holdsLines()).isFalse();
        assertThat(builder.append("a")).isTrue();
        assertThat(builder.isFull()).isFalse();
        builder.close();
    }

    @Test
    void refusesMoreThanOffsetsReach() {
        try (BatchBuilder builder = new BatchBuilder(allocator, 10, 100, 1)) {
            assertThatThrownBy(
                            () ->
                                    builder.appendUnsplitLines(
                                            Integer.MAX_VALUE,
                                            false,
                                            (address, from, length) -> {}))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("bytes=2147483648; split the record");
        }
    }

    @Test
    void refusesMoreMemoryThanTheLimit() throws IOException {
        try (BatchBuilder builder = new BatchBuilder(allocator, 10, 100, 1)) {
            builder.limitMemory(1 << 10);
            assertThatThrownBy(() -> append(builder, "a\n".repeat(1 << 9)))
                    .isInstanceOf(OutOfMemoryException.class)
                    .hasMessageEndingWith("maxMemoryBytes=1024");
            builder.limitMemory(Long.MAX_VALUE);
            assertThat(append(builder, "a\n".repeat(1 << 9))).isTrue();
        }
    }

    @Test
    void linesWhoseEndsHaveNoMemoryStayUnsplit() throws IOException {
        String lines = "\n".repeat(1 << 18);
        try (BatchBuilder builder = new BatchBuilder(allocator, 10, 100, 1)) {
            append(builder, lines);
            try (ColumnBatch batch = builder.build()) {
                assertThatThrownBy(() -> batch.splitLines(allocator))
                        .isInstanceOf(OutOfMemoryException.class);
                assertThat(batch.text(0).dataBytes()).isEqualTo(lines.length());
            }
        }
    }

    /** The rows are there for as long as they are open, whatever becomes of the batch. */
    @Test
    void rowsOutliveTheBatch() throws IOException {
        try (BatchBuilder builder = new BatchBuilder(allocator, 10, 100, 1)) {
            append(builder, "a\n\nbc\n");
            ColumnBatch batch = builder.build();
            try (ColumnBatch rows = batch.splitLines(allocator)) {
                batch.close();
                assertThat(rows.rows()).isEqualTo(3);
                assertThat(rows.text(0).copyRow(2)).asString().isEqualTo("bc");
                try (ColumnBatch last = rows.slice(1, 2)) {
                    assertThat(last.text(0).copyRow(1)).asString().isEqualTo("bc");
                }
            }
        }
    }

    private static boolean append(BatchBuilder builder, String lines) throws IOException {
        byte[] bytes = lines.getBytes(StandardCharsets.UTF_8);
        return builder.appendUnsplitLines(bytes.length, true, BatchBuilder.RowWriter.of(bytes));
    }

    private static List<String> rows(TextView text) {
        List<String> rows = new ArrayList<>();
        for (int row = 0; row < text.rows(); row++) {
            rows.add(new String(text.copyRow(row), StandardCharsets.UTF_8));
        }
        return rows;
    }
}
