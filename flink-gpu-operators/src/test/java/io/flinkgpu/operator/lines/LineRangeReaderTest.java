package io.flinkgpu.operator.lines;

import io.flinkgpu.api.LineRange;
import io.flinkgpu.source.OtherFileSystem;
import io.flinkgpu.source.RandomLines;

import org.apache.flink.core.fs.Path;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.ClosedByInterruptException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** A range gives exactly the lines whose first byte is in it. */
class LineRangeReaderTest {

    private static final byte UNTOUCHED = 0x55;

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
            try (LineRangeReader reader = new LineRangeReader()) {
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
        try (LineRangeReader reader = new LineRangeReader()) {
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
        }
        LineRange all = new LineRange(file.toString(), 0, Integer.MAX_VALUE, Integer.MAX_VALUE);
        try (LineRangeReader reader = new LineRangeReader()) {
            assertThatThrownBy(() -> reader.find(all))
                    .isInstanceOf(IOException.class)
                    .hasMessageStartingWith("the lines of a range have less than 2 GiB: file=");
        }
    }

    @Test
    void goesFromFileToFile() throws IOException {
        String a = path("file", write("a", bytes("a1\na2\n")));
        String b = path("file", write("b", bytes("b\nb\nb")));
        try (LineRangeReader reader = new LineRangeReader()) {
            assertThat(lines(reader, new LineRange(a, 0, 2, 6))).asString().isEqualTo("a1\n");
            assertThat(lines(reader, new LineRange(b, 2, 3, 5))).asString().isEqualTo("b\nb");
            assertThat(lines(reader, new LineRange(a, 2, 4, 6))).asString().isEqualTo("a2\n");
        }
    }

    @Test
    void leavesOutWhatWasAppended() throws IOException {
        java.nio.file.Path file = write("f", bytes("one\ntw"));
        try (LineRangeReader reader = new LineRangeReader()) {
            Files.writeString(file, "one\ntwo\nthree\n");
            assertThat(lines(reader, new LineRange(path("file", file), 0, 6, 6)))
                    .asString()
                    .isEqualTo("one\ntw");
            assertThat(lines(reader, new LineRange(path("file", file), 6, 8, 14)))
                    .asString()
                    .isEqualTo("three\n");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"file", "other"})
    void saysThatAFileWasCut(String scheme) throws IOException {
        String path = path(scheme, write("cut", bytes("one\ntwo\n")));
        for (long offset : new long[] {0, 4, 12}) {
            try (LineRangeReader reader = new LineRangeReader()) {
                LineRange range = new LineRange(path, offset, 16 - offset, 16);
                assertThatThrownBy(() -> lines(reader, range))
                        .isInstanceOf(IOException.class)
                        .hasMessage(
                                "an input file is shorter than when it was listed: file="
                                        + path
                                        + ", fileBytes=16; leave input files as they are until the"
                                        + " job ends");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"file", "other"})
    void saysThatAFileWasCutBetweenFindingAndReading(String scheme) throws IOException {
        java.nio.file.Path file = write("cut", bytes("one\ntwo\n".repeat(1000)));
        try (LineRangeReader reader = new LineRangeReader();
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
        try (LineRangeReader reader = new LineRangeReader();
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
                                    + ", fileBytes=8; leave input files as they are until the job"
                                    + " ends");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"file", "other"})
    void saysThatAFileIsGone(String scheme) {
        String path = path(scheme, directory.resolve("gone"));
        try (LineRangeReader reader = new LineRangeReader()) {
            assertThatThrownBy(() -> reader.find(new LineRange(path, 0, 1, 1)))
                    .isInstanceOf(IOException.class)
                    .hasMessage(
                            "an input file is gone since it was listed: file="
                                    + path
                                    + "; leave input files where they are until the job ends");
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void canBeInterrupted() throws IOException {
        String path = path("file", write("f", bytes("one\ntwo\n")));
        try (LineRangeReader reader = new LineRangeReader()) {
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
