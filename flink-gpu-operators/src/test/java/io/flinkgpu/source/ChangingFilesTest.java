package io.flinkgpu.source;

import io.flinkgpu.api.FilePolicy;
import io.flinkgpu.api.LineChunk;
import io.flinkgpu.api.LongLine;
import io.flinkgpu.api.MissingFile;
import io.flinkgpu.files.FileReports;

import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.file.src.FileSourceSplit;
import org.apache.flink.connector.file.src.reader.BulkFormat;
import org.apache.flink.connector.file.src.util.CheckpointedPosition;
import org.apache.flink.connector.file.src.util.RecordAndPosition;
import org.apache.flink.core.fs.Path;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Files that grow, go and are cut between their listing and their reading, and lines of any length.
 *
 * <p>Covers: LocalChunkReader.
 */
class ChangingFilesTest {

    private static final Configuration CONFIG = new Configuration();
    private static final long SEED = Long.getLong("seed", 20_261_123);
    private static final FilePolicy SKIP = FilePolicy.DEFAULT.withMissingFile(MissingFile.SKIP);

    @TempDir java.nio.file.Path directory;
    private final FileReports reports = FileReports.uncounted();

    @ParameterizedTest
    @ValueSource(strings = {"file", "other"})
    void neverHalfALineOfAFileThatGrows(String scheme) throws IOException {
        for (long seed = SEED; seed < SEED + 300; seed++) {
            Random random = new Random(seed);
            byte[] now = RandomLines.file(random);
            int listedBytes = random.nextInt(now.length + 1);
            int splitBytes = 1 + random.nextInt(random.nextBoolean() ? 20 : now.length + 1);
            if (listedBytes / splitBytes > 500) {
                continue;
            }
            Path path = write(scheme, "f" + seed, Arrays.copyOf(now, listedBytes));
            List<FileSourceSplit> splits = splits(splitBytes, path);
            write(scheme, "f" + seed, now);
            LineFormat<LineChunk> format =
                    format(
                            1 + random.nextInt(random.nextBoolean() ? 60 : 8000),
                            FilePolicy.DEFAULT);
            assertThat(readAll(format, splits, random.nextBoolean()))
                    .as("seed=%d, listedBytes=%d, splitBytes=%d", seed, listedBytes, splitBytes)
                    .isEqualTo(PlainFile.linesOf(now, listedBytes));
        }
        assertThat(reports.grownFiles()).isGreaterThan(200);
    }

    /** The rest of the line was once lost, and its first half left as no rule knows it. */
    @ParameterizedTest
    @ValueSource(strings = {"file", "other"})
    void halfASecretWaitsForItsEnd(String scheme) throws IOException {
        Path path = write(scheme, "m", bytes("m 1\ncard 4111 1111 11"));
        List<FileSourceSplit> splits = splits(7, path);
        write(scheme, "m", bytes("m 1\ncard 4111 1111 1111"));
        assertThat(text(splits, FilePolicy.DEFAULT)).isEqualTo("m 1\n");
        write(scheme, "m", bytes("m 1\ncard 4111 1111 1111 1111\nm 2\n"));
        assertThat(text(splits, FilePolicy.DEFAULT)).isEqualTo("m 1\ncard 4111 1111 1111 1111\n");
        assertThat(reports.grownFiles()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"file", "other"})
    void aLastLineWithoutAnEndIsReadAtTheEndOfTheInput(String scheme) throws IOException {
        Path path = write(scheme, "m", bytes("m 1\nm 2"));
        assertThat(text(splits(3, path), FilePolicy.DEFAULT)).isEqualTo("m 1\nm 2");
        assertThat(reports.grownFiles()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"file", "other"})
    void countsAFileThatGrewByWholeLines(String scheme) throws IOException {
        Path path = write(scheme, "m", bytes("m 1\n"));
        List<FileSourceSplit> splits = splits(2, path);
        write(scheme, "m", bytes("m 1\nm 2\n"));
        assertThat(text(splits, FilePolicy.DEFAULT)).isEqualTo("m 1\n");
        assertThat(reports.grownFiles()).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({"file, true", "other, true", "file, false", "other, false"})
    void skipsWhatRotationTookAway(String scheme, boolean deleted) throws IOException {
        Path path = write(scheme, "gone", bytes("one\ntwo\nthree\n"));
        List<FileSourceSplit> splits = splits(4, path);
        if (deleted) {
            Files.delete(directory.resolve("gone"));
        } else {
            write(scheme, "gone", bytes("on"));
        }
        assertThatThrownBy(() -> text(splits, FilePolicy.DEFAULT))
                .isInstanceOf(IOException.class)
                .hasMessage(
                        (deleted
                                        ? "an input file is gone since it was listed: file=" + path
                                        : "an input file is shorter than when it was listed: file="
                                                + path
                                                + ", fileBytes=14")
                                + "; leave input files as they are until the job ends, or use"
                                + " LineFiles.onMissingFile(MissingFile.SKIP), in SQL 'missing-file' = 'skip'");
        assertThat(text(splits, SKIP)).isEmpty();
        assertThat(reports.missingFiles()).isEqualTo(1);
    }

    /** Chunks that left stay; nothing after them does. */
    @ParameterizedTest
    @ValueSource(strings = {"file", "other"})
    void skipsTheRestOfAFileThatIsCutWhileItIsRead(String scheme) throws IOException {
        Path path = write(scheme, "cut", bytes("one\n".repeat(5000)));
        FileSourceSplit split = splits(1 << 20, path).get(0);
        try (BulkFormat.Reader<LineChunk> reader = format(4000, SKIP).createReader(CONFIG, split)) {
            assertThat(LineChunkFormatTest.next(reader).getRecord().lengthBytes()).isEqualTo(4000);
            write(scheme, "cut", bytes("one\n"));
            int bytes = 4000;
            for (RecordAndPosition<LineChunk> next;
                    (next = LineChunkFormatTest.next(reader)) != null; ) {
                bytes += next.getRecord().lengthBytes();
            }
            assertThat(bytes).isLessThan(20_000);
        }
        assertThat(reports.missingFiles()).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({"file, LABEL", "other, LABEL", "file, SKIP", "other, SKIP"})
    void limitsLines(String scheme, LongLine longer) throws IOException {
        for (long seed = SEED; seed < SEED + 200; seed++) {
            Random random = new Random(seed);
            byte[] file = RandomLines.file(random);
            int splitBytes = 1 + random.nextInt(random.nextBoolean() ? 30 : file.length + 1);
            if (file.length / splitBytes > 500) {
                continue;
            }
            FilePolicy policy =
                    FilePolicy.DEFAULT.withMaxLineBytes(
                            1 + random.nextInt(random.nextBoolean() ? 12 : 500), longer);
            Path path = write(scheme, "f" + seed, file);
            assertThat(
                            readAll(
                                    format(1 + random.nextInt(1000), policy),
                                    splits(splitBytes, path),
                                    random.nextBoolean()))
                    .as("seed=%d, splitBytes=%d, %s", seed, splitBytes, policy)
                    .isEqualTo(PlainFile.limited(file, policy));
        }
        assertThat(reports.longLines()).isGreaterThan(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"file", "other"})
    void aLineThatIsTooLongFailsTheJob(String scheme) throws IOException {
        Path path = write(scheme, "f", bytes("a\n" + "b".repeat(5000) + "\nc\n"));
        FilePolicy policy = FilePolicy.DEFAULT.withMaxLineBytes(4999, LongLine.FAIL);
        assertThatThrownBy(() -> text(splits(1000, path), policy))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith(
                        "a line is longer than allowed: file="
                                + path
                                + ", offsetBytes=2, lineBytes=")
                .hasMessageEndingWith(
                        ", maxLineBytes=4999; is this a text file? Use"
                                + " LineFiles.maxLineBytes(bytes, LongLine.LABEL) or SKIP, in SQL"
                                + " 'long-line' = 'label' or 'skip', or allow more bytes");
        FilePolicy enough = FilePolicy.DEFAULT.withMaxLineBytes(5000, LongLine.FAIL);
        assertThat(text(splits(1000, path), enough)).hasSize(5005);
    }

    /** More than a heap has: the line is searched for its end and not read. */
    @ParameterizedTest
    @EnumSource(names = {"FAIL", "LABEL"})
    void aLineOfMoreThanTwoGiBIsNeverInMemory(LongLine longer) throws IOException {
        Path path = write("file", "huge", bytes("before\n"));
        try (RandomAccessFile sparse =
                new RandomAccessFile(directory.resolve("huge").toFile(), "rw")) {
            sparse.seek(2_300_000_000L);
            sparse.write(bytes("\nafter\n"));
        }
        List<FileSourceSplit> splits = splits(1 << 30, path);
        FilePolicy policy =
                FilePolicy.DEFAULT.withMaxLineBytes(FilePolicy.DEFAULT_MAX_LINE_BYTES, longer);
        if (longer == LongLine.FAIL) {
            assertThatThrownBy(() -> text(splits, policy))
                    .hasMessageContaining("lineBytes=2299999993, maxLineBytes=268435456;");
        } else {
            assertThat(text(splits, policy)).isEqualTo("before\n[LINE TOO LONG]\nafter\n");
        }
    }

    @Test
    void terminatesALabelThatEndsTheFile() throws IOException {
        Path path = write("file", "f", bytes("a\nbbbb"));
        FilePolicy policy =
                FilePolicy.DEFAULT
                        .withMaxLineBytes(3, LongLine.LABEL)
                        .withLastLinesTerminated(true);
        assertThat(text(splits(10, path), policy)).isEqualTo("a\n[LINE TOO LONG]\n");
    }

    private String text(List<FileSourceSplit> splits, FilePolicy policy) throws IOException {
        return new String(readAll(format(4096, policy), splits, false), StandardCharsets.US_ASCII);
    }

    private LineFormat<LineChunk> format(int chunkBytes, FilePolicy policy) {
        return new LineChunkFormat(chunkBytes, policy).reporting(reports);
    }

    /**
     * @param restarts after each chunk
     */
    private static byte[] readAll(
            LineFormat<LineChunk> format, List<FileSourceSplit> splits, boolean restarts)
            throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (FileSourceSplit split : splits) {
            FileSourceSplit resumed = split;
            boolean more = true;
            while (more) {
                try (BulkFormat.Reader<LineChunk> reader = format.restoreReader(CONFIG, resumed)) {
                    RecordAndPosition<LineChunk> next;
                    do {
                        next = LineChunkFormatTest.next(reader);
                        more = next != null;
                        if (more) {
                            all.writeBytes(next.getRecord().bytes());
                            resumed =
                                    split.updateWithCheckpointedPosition(
                                            new CheckpointedPosition(
                                                    next.getOffset(), next.getRecordSkipCount()));
                        }
                    } while (more && !restarts);
                }
            }
        }
        return all.toByteArray();
    }

    private static List<FileSourceSplit> splits(int splitBytes, Path path) throws IOException {
        FileLister lister = FileLister.of(List.of(FileInput.of(path)));
        return List.copyOf(
                new SplitQueue(lister.enumerateSplits(null, 1), 1, splitBytes, splitBytes)
                        .remainingSplits());
    }

    private Path write(String scheme, String name, byte[] bytes) throws IOException {
        return LineChunkFormatTest.path(scheme, Files.write(directory.resolve(name), bytes));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
