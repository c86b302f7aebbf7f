package io.flinkgpu.column;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.memory.util.MemoryUtil;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Rows to columns, limits, and who owns the buffers.
 *
 * <p>Covers: BatchBuilder, ColumnBuilder.
 */
class BatchBuilderTest {

    private final BufferAllocator allocator = new RootAllocator(1 << 20);

    @AfterEach
    void nothingIsHeld() {
        allocator.close();
    }

    @Test
    void rowsFollowEachOther() {
        try (BatchBuilder builder = new BatchBuilder(allocator, 10, 100, 0)) {
            assertThat(builder.append("ab")).isTrue();
            assertThat(builder.append("")).isTrue();
            assertThat(builder.appendNull()).isTrue();
            assertThat(builder.append(new byte[] {1, 2, 3, 4}, 1, 3)).isTrue();
            assertThat(builder.rows()).isEqualTo(4);
            assertThat(builder.bytes()).isEqualTo(4);
            try (ColumnBatch batch = builder.build()) {
                TextView text = batch.text(0);
                assertThat(batch.rows()).isEqualTo(4);
                assertThat(rows(text)).containsExactly("ab", "", "", "\u0002\u0003");
                assertThat(text.dataBytes()).isEqualTo(4);
                assertThat(batch.vector(0).getName()).isEqualTo("text");
                assertThat(batch.vector(0).isNull(2)).isTrue();
                assertThat(batch.vector(0).getNullCount()).isEqualTo(1);
            }
        }
    }

    @Test
    void separatorsAreNotPartOfTheRows() {
        try (BatchBuilder builder = new BatchBuilder(allocator, 10, 100, 1)) {
            builder.append("ab");
            builder.appendLines("c\n\nd".getBytes(StandardCharsets.UTF_8));
            builder.appendNull();
            try (ColumnBatch batch = builder.build()) {
                TextView text = batch.text(0);
                assertThat(rows(text)).containsExactly("ab", "c", "", "d", "");
                assertThat(new String(text.copy(0, text.dataBytes()), StandardCharsets.UTF_8))
                        .isEqualTo("ab\nc\n\nd\n\n");
            }
        }
    }

    @Test
    void linesNeedASeparator() {
        try (BatchBuilder builder = new BatchBuilder(allocator, 10, 100, 0)) {
            assertThatThrownBy(() -> builder.appendLines(new byte[] {'\n'}))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("lines need a separator behind each row: separatorBytes=0");
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void findsEveryNewline(long seed) {
        Random random = new Random(seed);
        byte[] bytes = new byte[random.nextInt(500)];
        byte[] near = {'\n', '\n' + 1, '\n' - 1, (byte) ('\n' | 0x80), 0, (byte) 0xff, 'x'};
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = near[random.nextInt(near.length)];
        }
        bytes = Arrays.copyOf(bytes, bytes.length + 1);
        bytes[bytes.length - 1] = '\n';
        List<String> expected = new ArrayList<>();
        int from = 0;
        for (int i = 0; i < bytes.length; i++) {
            if (bytes[i] == '\n') {
                expected.add(new String(bytes, from, i - from, StandardCharsets.ISO_8859_1));
                from = i + 1;
            }
        }
        try (BatchBuilder builder = new BatchBuilder(allocator, 1000, 1000, 1)) {
            builder.append("first");
            builder.appendLines(bytes);
            try (ColumnBatch batch = builder.build()) {
                List<String> rows = rows(batch.text(0));
                assertThat(rows.subList(1, rows.size())).as("seed=%d", seed).isEqualTo(expected);
            }
        }
    }

    /** Bytes written straight into the column: how many lines they are is not known before. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void linesThatAreCountedWhereTheyAre(long seed) throws IOException {
        Random random = new Random(seed);
        int maxRows = 1 + random.nextInt(40);
        List<String> expected = new ArrayList<>();
        List<String> actual = new ArrayList<>();
        try (BatchBuilder builder = new BatchBuilder(allocator, maxRows, 300, 1)) {
            for (int record = 0; record < 40; record++) {
                byte[] lines = new byte[1 + random.nextInt(100)];
                int oneIn = 1 + random.nextInt(12);
                for (int i = 0; i < lines.length; i++) {
                    lines[i] = (byte) (random.nextInt(oneIn) == 0 ? '\n' : 'a' + i % 26);
                }
                boolean isTerminated = lines[lines.length - 1] == '\n';
                BatchBuilder.RowWriter writer = BatchBuilder.RowWriter.of(lines);
                while (!builder.appendLines(lines.length, isTerminated, writer)) {
                    assertThat(builder.rows()).as("seed=%d", seed).isBetween(1, maxRows);
                    take(builder, actual);
                }
                String text = new String(lines, StandardCharsets.UTF_8);
                String rows = isTerminated ? text.substring(0, text.length() - 1) : text;
                expected.addAll(Arrays.asList(rows.split("\n", -1)));
                if (builder.rows() > maxRows) {
                    assertThat(builder.isOutOfRows()).isTrue();
                    take(builder, actual);
                }
            }
            if (builder.rows() > 0) {
                take(builder, actual);
            }
        }
        assertThat(actual).as("seed=%d", seed).isEqualTo(expected);
    }

    /** As many bytes as are written in several steps, before and behind which lines end or do not. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void linesOfManyBytes(long seed) throws IOException {
        Random random = new Random(seed);
        byte[] lines = new byte[250_000 + random.nextInt(60_000)];
        int oneIn = 1 << random.nextInt(18);
        for (int i = 0; i < lines.length; i++) {
            lines[i] = (byte) (random.nextInt(oneIn) == 0 ? '\n' : 'a' + i % 26);
        }
        for (int at = (128 << 10) - 1; at < lines.length; at += 128 << 10) {
            lines[at] = (byte) (random.nextBoolean() ? '\n' : 'x');
            lines[at + 1] = (byte) (random.nextBoolean() ? '\n' : 'y');
        }
        boolean isTerminated = random.nextBoolean();
        lines[lines.length - 1] = (byte) (isTerminated ? '\n' : 'z');
        String text = new String(lines, StandardCharsets.UTF_8);
        List<String> expected =
                List.of(
                        (isTerminated ? text.substring(0, lines.length - 1) : text)
                                .split("\n", -1));
        int maxRows = 1 + random.nextInt(2 * expected.size());
        List<String> actual = new ArrayList<>();
        int[] written = new int[1];
        BatchBuilder.RowWriter writer =
                (address, from, length) -> {
                    assertThat(from).as("seed=%d", seed).isEqualTo(written[0]);
                    MemoryUtil.copyToMemory(lines, from, address, length);
                    written[0] += length;
                };
        try (BufferAllocator large = new RootAllocator();
                BatchBuilder builder = new BatchBuilder(large, maxRows, 1 << 20, 1)) {
            builder.append("first");
            boolean fits = 1 + expected.size() <= maxRows;
            assertThat(builder.appendLines(lines.length, isTerminated, writer))
                    .as("seed=%d", seed)
                    .isEqualTo(fits);
            if (!fits) {
                assertThat(builder.isOutOfRows()).isTrue();
                take(builder, actual);
                written[0] = 0;
                assertThat(builder.appendLines(lines.length, isTerminated, writer)).isTrue();
            }
            assertThat(written[0]).isEqualTo(lines.length);
            take(builder, actual);
        }
        assertThat(actual.get(0)).isEqualTo("first");
        assertThat(actual.subList(1, actual.size())).as("seed=%d", seed).isEqualTo(expected);
    }

    /** Once it is clear that they do not fit, the rest of the lines is not asked for. */
    @Test
    void doesNotWriteAllLinesThatDoNotFit() throws IOException {
        byte[] lines = new byte[400 << 10];
        Arrays.fill(lines, (byte) '\n');
        int[] written = new int[1];
        try (BatchBuilder builder = new BatchBuilder(allocator, 10, 500 << 10, 1)) {
            builder.append("first");
            assertThat(
                            builder.appendLines(
                                    lines.length,
                                    true,
                                    (address, from, length) -> {
                                        MemoryUtil.copyToMemory(lines, from, address, length);
                                        written[0] += length;
                                    }))
                    .isFalse();
            assertThat(written[0]).isBetween(1, lines.length - 1);
        }
    }

    private static void take(BatchBuilder builder, List<String> target) {
        try (ColumnBatch batch = builder.build()) {
            target.addAll(rows(batch.text(0)));
            assertThat(batch.vector(0).getNullCount()).isZero();
            assertThat(batch.vector(0).isNull(batch.rows() - 1)).isFalse();
        }
    }

    @Test
    void aWriterThatFailsLeavesTheBatchAsItWas() {
        try (BatchBuilder builder = new BatchBuilder(allocator, 10, 100, 1)) {
            BatchBuilder.RowWriter failing =
                    (address, from, length) -> {
                        throw new IOException("gone");
                    };
            assertThatThrownBy(() -> builder.appendLines(5, true, failing)).hasMessage("gone");
            assertThat(allocator.getAllocatedMemory()).isZero();
            builder.append("ab");
            assertThatThrownBy(() -> builder.appendLines(5, true, failing)).hasMessage("gone");
            try (ColumnBatch batch = builder.build()) {
                assertThat(rows(batch.text(0))).containsExactly("ab");
            }
        }
    }

    @Test
    void refusesWhatDoesNotFitAndTakesItAlone() {
        try (BatchBuilder builder = new BatchBuilder(allocator, 2, 8, 0)) {
            assertThat(builder.append("1234")).isTrue();
            assertThat(builder.isFull()).isFalse();
            assertThat(builder.append("123456789")).isFalse();
            assertThat(builder.isOutOfRows()).isFalse();
            assertThat(builder.rows()).isEqualTo(1);
            assertThat(builder.append("1234")).isTrue();
            assertThat(builder.isFull()).isTrue();
            assertThat(builder.isOutOfRows()).isTrue();
            assertThat(builder.append("")).isFalse();
            builder.build().close();
            assertThat(builder.append("a record of 21 bytes.")).isTrue();
            assertThat(builder.isFull()).isTrue();
            try (ColumnBatch batch = builder.build()) {
                assertThat(rows(batch.text(0))).containsExactly("a record of 21 bytes.");
            }
        }
    }

    @Test
    void takesAChunkOfMoreLinesThanItsRowsAlone() {
        byte[] lines = "\n".repeat(100).getBytes(StandardCharsets.UTF_8);
        try (BatchBuilder builder = new BatchBuilder(allocator, 5, 1000, 1)) {
            builder.append("x");
            assertThat(builder.appendLines(lines)).isFalse();
            builder.build().close();
            assertThat(builder.appendLines(lines)).isTrue();
            try (ColumnBatch batch = builder.build()) {
                assertThat(batch.rows()).isEqualTo(100);
            }
        }
    }

    @Test
    void staysUsableWhenThereIsNoMemory() {
        try (BatchBuilder builder = new BatchBuilder(allocator, 10, 100, 0)) {
            byte[] tooLarge = new byte[2 << 20];
            assertThatThrownBy(() -> builder.append(tooLarge, 0, tooLarge.length))
                    .isInstanceOf(OutOfMemoryException.class);
            assertThat(allocator.getAllocatedMemory()).isZero();
            assertThat(builder.append("x")).isTrue();
        }
    }

    @Test
    void aBatchNeedsARow() {
        try (BatchBuilder builder = new BatchBuilder(allocator, 10, 100, 1)) {
            builder.appendLines(new byte[0]);
            assertThatThrownBy(builder::build).hasMessage("a batch needs a row: rows=0");
        }
    }

    @Test
    void slicesStartTheirOffsetsAtZeroAndOutliveTheBatch() {
        try (BatchBuilder builder = new BatchBuilder(allocator, 10, 100, 1)) {
            builder.appendLines("a\nbb\nccc\ndddd\n".getBytes(StandardCharsets.UTF_8));
            ColumnBatch batch = builder.build();
            try (ColumnBatch left = batch.slice(0, 2);
                    ColumnBatch middle = batch.slice(1, 2);
                    ColumnBatch right = batch.slice(2, 2)) {
                batch.close();
                assertThat(rows(left.text(0))).containsExactly("a", "bb");
                assertThat(rows(middle.text(0))).containsExactly("bb", "ccc");
                assertThat(rows(right.text(0))).containsExactly("ccc", "dddd");
                assertThat(middle.text(0).start(0)).isZero();
                assertThat(right.text(0).dataBytes()).isEqualTo(9);
            }
        }
    }

    private static List<String> rows(TextView text) {
        List<String> rows = new ArrayList<>();
        for (int row = 0; row < text.rows(); row++) {
            rows.add(new String(text.copyRow(row), StandardCharsets.ISO_8859_1));
        }
        return rows;
    }
}
