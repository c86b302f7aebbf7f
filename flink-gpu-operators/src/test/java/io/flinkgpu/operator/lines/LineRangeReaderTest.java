package io.flinkgpu.operator.lines;

import io.flinkgpu.api.FilePolicy;
import io.flinkgpu.api.LineRange;
import io.flinkgpu.api.LongLine;
import io.flinkgpu.api.MissingFile;
import io.flinkgpu.files.FileReports;
import io.flinkgpu.source.OtherFileSystem;
import io.flinkgpu.source.PlainFile;
import io.flinkgpu.source.RandomLines;

import org.apache.flink.core.fs.Path;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.ClosedByInterruptException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * A range gives exactly the lines whose first byte is in it.
 *
 * <p>Covers: LineRangeReader, FileReports, RangeFile.
 */
class LineRangeReaderTest {

    private static final byte UNTOUCHED = 0x55;
    private static final long SEED = Long.getLong("seed", 20_261_123);
    private static final String REMEDY =
            "; leave input files as they are until the job ends, or use"
                    + " LineFiles.onMissingFile(MissingFile.SKIP), in SQL 'missing-file' = 'skip'";

    @TempDir private java.nio.file.Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"file", "other"})
    void givesTheLinesThatStartInTheRange(String scheme) throws IOException {
        for (long seed = 1; seed <= 150; seed++) {
            Random random = new Random(seed);
            byte[] file = RandomLines.file(random);
            String path = path(scheme, write("f" + seed, file));
            int rangeBytes = 1 + random.nextInt(random.nextBoolean() ? 20 : 2 * file.length + 1);
            List<LineRange> ranges = ranges(path, file.length, rangeBytes);
            if (random.nextInt(3) == 0) {
                Collections.shuffle(ranges, random);
            }
            try (LineRangeReader reader = new LineRangeReader(FileReports.uncounted())) {
                for (LineRange range : ranges) {
                    assertThat(lines(reader, range))
                            .as("seed=%d, %s", seed, range)
                            .isEqualTo(expected(file, range));
                }
            }
        }
    }

    /** Ranges of an odd size, so that neither they nor the lines fall on the steps of reading. */
    @ParameterizedTest
    @ValueSource(strings = {"file", "other"})
    void readsLinesLongerThanItsSteps(String scheme) throws IOException {
        byte[] file = new byte[3_000_000];
        Arrays.fill(file, (byte) 'x');
        for (int newline : new int[] {0, 4095, 4096, 4097, 500_000, 1_999_999, 2_131_071}) {
            file[newline] = '\n';
        }
        String path = path(scheme, write("long", file));
        try (LineRangeReader reader = new LineRangeReader(FileReports.uncounted())) {
            for (LineRange range : ranges(path, file.length, 99_991)) {
                assertThat(Arrays.equals(lines(reader, range), expected(file, range)))
                        .as("%s", range)
                        .isTrue();
            }
        }
    }

    /** No array has as many bytes, and to end their last line would take more than an int tells. */
    @Test
    void refusesLinesOfTwoGiB() throws IOException {
        java.nio.file.Path file = directory.resolve("huge");
        try (RandomAccessFile sparse = new RandomAccessFile(file.toFile(), "rw")) {
            sparse.setLength(Integer.MAX_VALUE);
            sparse.seek(1 << 30);
            sparse.write('\n');
        }
        FilePolicy anyLine =
                FilePolicy.DEFAULT.withMaxLineBytes(FilePolicy.MOST_LINE_BYTES, LongLine.LABEL);
        LineRange all =
                new LineRange(file.toString(), 0, Integer.MAX_VALUE, Integer.MAX_VALUE, anyLine);
        try (LineRangeReader reader = new LineRangeReader(FileReports.uncounted())) {
            assertThatThrownBy(() -> reader.find(all))
                    .isInstanceOf(IOException.class)
                    .hasMessageStartingWith("the lines of a range have less than 2 GiB: file=");
        }
    }

    @Test
    void goesFromFileToFile() throws IOException {
        String a = path("file", write("a", bytes("a1\na2\n")));
        String b = path("file", write("b", bytes("b\nb\nb")));
        try (LineRangeReader reader = new LineRangeReader(FileReports.uncounted())) {
            assertThat(lines(reader, new LineRange(a, 0, 2, 6))).asString().isEqualTo("a1\n");
            assertThat(lines(reader, new LineRange(b, 2, 3, 5))).asString().isEqualTo("b\nb");
            assertThat(lines(reader, new LineRange(a, 2, 4, 6))).asString().isEqualTo("a2\n");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"file", "other"})
    void neverHalfALineOfAFileThatGrows(String scheme) throws IOException {
        FileReports reports = FileReports.uncounted();
        for (long seed = SEED; seed < SEED + 300; seed++) {
            Random random = new Random(seed);
            byte[] now = RandomLines.file(random);
            int listedBytes = random.nextInt(now.length + 1);
            int rangeBytes = 1 + random.nextInt(random.nextBoolean() ? 20 : now.length + 1);
            String path = path(scheme, write("f" + seed, now));
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            try (LineRangeReader reader = new LineRangeReader(reports)) {
                for (LineRange range : ranges(path, listedBytes, rangeBytes)) {
                    all.writeBytes(lines(reader, range));
                }
            }
            assertThat(all.toByteArray())
                    .as("seed=%d, listedBytes=%d, rangeBytes=%d", seed, listedBytes, rangeBytes)
                    .isEqualTo(PlainFile.linesOf(now, listedBytes));
        }
        assertThat(reports.grownFiles()).isGreaterThan(200);
    }

    @ParameterizedTest
    @CsvSource({"file, LABEL", "other, LABEL", "file, SKIP", "other, SKIP"})
    void limitsLines(String scheme, LongLine longer) throws IOException {
        FileReports reports = FileReports.uncounted();
        for (long seed = SEED; seed < SEED + 300; seed++) {
            Random random = new Random(seed);
            byte[] file = RandomLines.file(random);
            int limit = 1 + random.nextInt(random.nextBoolean() ? 12 : 500);
            FilePolicy policy = FilePolicy.DEFAULT.withMaxLineBytes(limit, longer);
            String path = path(scheme, write("f" + seed, file));
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            try (LineRangeReader reader = new LineRangeReader(reports)) {
                for (LineRange range : ranges(path, file.length, 1 + random.nextInt(limit))) {
                    all.writeBytes(lines(reader, with(range, policy)));
                }
            }
            assertThat(all.toByteArray())
                    .as("seed=%d, %s", seed, policy)
                    .isEqualTo(PlainFile.limited(file, policy));
        }
        assertThat(reports.longLines()).isGreaterThan(200);
    }

    @ParameterizedTest
    @EnumSource(names = {"FAIL", "LABEL"})
    void aLineOfMoreThanTwoGiBIsNeverInMemory(LongLine longer) throws IOException {
        java.nio.file.Path file = write("huge", bytes("before\n"));
        try (RandomAccessFile sparse = new RandomAccessFile(file.toFile(), "rw")) {
            sparse.seek(2_300_000_000L);
            sparse.write(bytes("\nafter\n"));
        }
        FilePolicy policy = FilePolicy.DEFAULT.withMaxLineBytes(1 << 28, longer);
        long fileBytes = 2_300_000_007L;
        try (LineRangeReader reader = new LineRangeReader(FileReports.uncounted())) {
            LineRange first = new LineRange(path("file", file), 0, 1 << 22, fileBytes, policy);
            LineRange last =
                    new LineRange(path("file", file), fileBytes - 1000, 1000, fileBytes, policy);
            if (longer == LongLine.FAIL) {
                assertThatThrownBy(() -> reader.find(first))
                        .isInstanceOf(IOException.class)
                        .hasMessage(
                                "a line is longer than allowed: file="
                                        + path("file", file)
                                        + ", offsetBytes=7, lineBytes=2299999993,"
                                        + " maxLineBytes=268435456; is this a text file? Use"
                                        + " LineFiles.maxLineBytes(bytes, LongLine.LABEL) or SKIP,"
                                        + " in SQL 'long-line' = 'label' or 'skip', or allow more"
                                        + " bytes");
            } else {
                assertThat(lines(reader, first)).asString().isEqualTo("before\n[LINE TOO LONG]\n");
            }
            assertThat(lines(reader, last)).asString().isEqualTo("after\n");
        }
    }

    @ParameterizedTest
    @CsvSource({"file, true", "other, true", "file, false", "other, false"})
    void skipsWhatRotationTookAway(String scheme, boolean deleted) throws IOException {
        java.nio.file.Path file = write("gone", bytes(deleted ? "" : "one\n"));
        if (deleted) {
            Files.delete(file);
        }
        FileReports reports = FileReports.uncounted();
        FilePolicy skip = FilePolicy.DEFAULT.withMissingFile(MissingFile.SKIP);
        String next = path(scheme, write("next", bytes("two\n")));
        try (LineRangeReader reader = new LineRangeReader(reports)) {
            for (LineRange range : ranges(path(scheme, file), 16, 3)) {
                assertThat(reader.find(with(range, skip))).isZero();
            }
            assertThat(lines(reader, new LineRange(next, 0, 4, 4))).asString().isEqualTo("two\n");
        }
        assertThat(reports.missingFiles()).isEqualTo(1);
    }

    /** Its handle would be on what the file was before. */
    @Test
    void opensAFileAgainThatWasListedAgain() throws IOException {
        java.nio.file.Path file = write("f", bytes("one\n"));
        String path = path("file", file);
        try (LineRangeReader reader = new LineRangeReader(FileReports.uncounted())) {
            assertThat(lines(reader, new LineRange(path, 0, 4, 4))).asString().isEqualTo("one\n");
            Files.move(write("g", bytes("three\n")), file, StandardCopyOption.REPLACE_EXISTING);
            assertThat(lines(reader, new LineRange(path, 0, 6, 6))).asString().isEqualTo("three\n");
        }
    }

    private static LineRange with(LineRange range, FilePolicy policy) {
        return new LineRange(
                range.file(), range.offsetBytes(), range.lengthBytes(), range.fileBytes(), policy);
    }

    @ParameterizedTest
    @ValueSource(strings = {"file", "other"})
    void saysThatAFileWasCut(String scheme) throws IOException {
        String path = path(scheme, write("cut", bytes("one\ntwo\n")));
        for (long offset : new long[] {0, 4, 12}) {
            try (LineRangeReader reader = new LineRangeReader(FileReports.uncounted())) {
                LineRange range = new LineRange(path, offset, 16 - offset, 16);
                assertThatThrownBy(() -> lines(reader, range))
                        .isInstanceOf(IOException.class)
                        .hasMessage(
                                "an input file is shorter than when it was listed: file="
                                        + path
                                        + ", fileBytes=16"
                                        + REMEDY);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"file", "other"})
    void saysThatAFileWasCutBetweenFindingAndReading(String scheme) throws IOException {
        java.nio.file.Path file = write("cut", bytes("one\ntwo\n".repeat(1000)));
        try (LineRangeReader reader = new LineRangeReader(FileReports.uncounted());
                BufferAllocator allocator = new RootAllocator();
                ArrowBuf target = allocator.buffer(8000)) {
            assertThat(reader.find(new LineRange(path(scheme, file), 0, 8000, 8000)))
                    .isEqualTo(8000);
            Files.writeString(file, "one\n");
            assertThatThrownBy(() -> reader.read(target.memoryAddress(), 0, 8000))
                    .isInstanceOf(IOException.class)
                    .hasMessageStartingWith("an input file is shorter than when it was listed");
        }
    }

    /** A row of the batch would otherwise end where no line does. */
    @ParameterizedTest
    @ValueSource(strings = {"file", "other"})
    void saysThatALineEndedElsewhereBetweenFindingAndReading(String scheme) throws IOException {
        java.nio.file.Path file = write("f", bytes("one\ntwo\n"));
        try (LineRangeReader reader = new LineRangeReader(FileReports.uncounted());
                BufferAllocator allocator = new RootAllocator();
                ArrowBuf target = allocator.buffer(8)) {
            assertThat(reader.find(new LineRange(path(scheme, file), 0, 8, 8))).isEqualTo(8);
            Files.writeString(file, "one two, three\n");
            reader.read(target.memoryAddress(), 0, 7);
            assertThatThrownBy(() -> reader.read(target.memoryAddress() + 7, 7, 1))
                    .isInstanceOf(IOException.class)
                    .hasMessage(
                            "an input file was written to while it was read: file="
                                    + path(scheme, file)
                                    + ", fileBytes=8"
                                    + REMEDY);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"file", "other"})
    void saysThatAFileIsGone(String scheme) {
        String path = path(scheme, directory.resolve("gone"));
        try (LineRangeReader reader = new LineRangeReader(FileReports.uncounted())) {
            assertThatThrownBy(() -> reader.find(new LineRange(path, 0, 1, 1)))
                    .isInstanceOf(IOException.class)
                    .hasMessage(
                            "an input file is gone since it was listed: file="
                                    + path
                                    + ""
                                    + REMEDY);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void canBeInterrupted() throws IOException {
        String path = path("file", write("f", bytes("one\ntwo\n")));
        try (LineRangeReader reader = new LineRangeReader(FileReports.uncounted())) {
            assertThat(reader.find(new LineRange(path, 0, 4, 8))).isEqualTo(4);
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> reader.find(new LineRange(path, 4, 4, 8)))
                    .isInstanceOf(ClosedByInterruptException.class);
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    private static byte[] lines(LineRangeReader reader, LineRange range) throws IOException {
        int length = reader.find(range);
        try (BufferAllocator allocator = new RootAllocator();
                ArrowBuf target = allocator.buffer(length + 8L)) {
            for (int i = 0; i < 8; i++) {
                target.setByte(length + i, UNTOUCHED);
            }
            int step;
            for (int at = 0; at < length; at += step) {
                step = Math.min(1 + length / 3, length - at);
                reader.read(target.memoryAddress() + at, at, step);
            }
            for (int i = 0; i < 8; i++) {
                assertThat(target.getByte(length + i)).isEqualTo(UNTOUCHED);
            }
            reader.used();
            byte[] lines = new byte[length];
            target.getBytes(0, lines);
            return lines;
        }
    }

    private static List<LineRange> ranges(String path, int fileBytes, int rangeBytes) {
        List<LineRange> ranges = new ArrayList<>();
        for (int offset = 0; offset < fileBytes; offset += rangeBytes) {
            int length = Math.min(rangeBytes, fileBytes - offset);
            ranges.add(new LineRange(path, offset, length, fileBytes));
        }
        return ranges;
    }

    private static byte[] expected(byte[] file, LineRange range) {
        List<Integer> bounds = RandomLines.bounds(file);
        long end = range.offsetBytes() + range.lengthBytes();
        int from = file.length;
        int to = 0;
        for (int i = 0; i + 1 < bounds.size(); i++) {
            if (bounds.get(i) >= range.offsetBytes() && bounds.get(i) < end) {
                from = Math.min(from, bounds.get(i));
                to = bounds.get(i + 1);
            }
        }
        return from < to ? Arrays.copyOfRange(file, from, to) : new byte[0];
    }

    private java.nio.file.Path write(String name, byte[] bytes) throws IOException {
        return Files.write(directory.resolve(name), bytes);
    }

    private static String path(String scheme, java.nio.file.Path file) {
        return scheme.equals("other")
                ? OtherFileSystem.path(file).toString()
                : new Path(file.toUri()).toString();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
