package io.flinkgpu.source;

import io.flinkgpu.api.FilePolicy;
import io.flinkgpu.api.LineChunk;

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
import org.junit.jupiter.params.provider.ValueSource;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.zip.GZIPOutputStream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Every line is read once, whatever the splits, the chunks and the failures.
 *
 * <p>Covers: LineChunkFormat, LineSource.
 */
class LineChunkFormatTest {

    private static final Configuration CONFIG = new Configuration();
    private static final FilePolicy TERMINATED = FilePolicy.DEFAULT.withLastLinesTerminated(true);

    @TempDir java.nio.file.Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"file", "other"})
    void everyLineOnceForEverySplitAndChunkSize(String scheme) throws IOException {
        for (long seed = 1; seed <= 150; seed++) {
            Random random = new Random(seed);
            byte[] file = RandomLines.file(random);
            Path path = path(scheme, write("f" + seed, file));
            for (int splitBytes : new int[] {1, 2, 3, 7, 1 + random.nextInt(file.length + 1)}) {
                if (file.length / splitBytes > 2000) {
                    continue;
                }
                int chunkBytes = 1 + random.nextInt(random.nextBoolean() ? 60 : 8000);
                String what =
                        String.format(
                                "seed=%d, splitBytes=%d, chunkBytes=%d",
                                seed, splitBytes, chunkBytes);
                ByteArrayOutputStream all = new ByteArrayOutputStream();
                for (FileSourceSplit split : splits(splitBytes, path)) {
                    for (LineChunk chunk :
                            read(new LineChunkFormat(chunkBytes, FilePolicy.DEFAULT), split)) {
                        assertThat(chunk.offsetBytes()).as(what).isEqualTo(all.size());
                        assertThat(chunk.file()).isEqualTo(path.toString());
                        all.writeBytes(chunk.bytes());
                        assertIsWholeLines(chunk, chunkBytes, all.size() == file.length, what);
                    }
                }
                assertThat(all.toByteArray()).as(what).isEqualTo(file);
            }
        }
    }

    private static void assertIsWholeLines(
            LineChunk chunk, int chunkBytes, boolean last, String what) {
        byte[] bytes = chunk.bytes();
        assertThat(last || chunk.isTerminated()).as(what).isTrue();
        if (bytes.length > chunkBytes) {
            assertThat(RandomLines.bounds(bytes)).as(what).hasSize(2);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"file", "other"})
    void everyLineOnceWhenTheReaderIsRestoredBehindEachChunk(String scheme) throws IOException {
        for (long seed = 1; seed <= 60; seed++) {
            Random random = new Random(seed);
            byte[] file = RandomLines.file(random);
            Path path = path(scheme, write("f" + seed, file));
            LineChunkFormat format =
                    new LineChunkFormat(1 + random.nextInt(60), FilePolicy.DEFAULT);
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            for (FileSourceSplit split : splits(20 + random.nextInt(200), path)) {
                FileSourceSplit resumed = split;
                for (RecordAndPosition<LineChunk> next;
                        (next = firstOf(format, resumed)) != null; ) {
                    all.writeBytes(next.getRecord().bytes());
                    resumed =
                            split.updateWithCheckpointedPosition(
                                    new CheckpointedPosition(
                                            next.getOffset(), next.getRecordSkipCount()));
                }
            }
            assertThat(all.toByteArray()).as("seed=%d", seed).isEqualTo(file);
        }
    }

    private static RecordAndPosition<LineChunk> firstOf(
            LineChunkFormat format, FileSourceSplit split) throws IOException {
        try (BulkFormat.Reader<LineChunk> reader = format.restoreReader(CONFIG, split)) {
            return next(reader);
        }
    }

    /** Lines that are longer than every step of reading, and chunks that are, too. */
    @ParameterizedTest
    @CsvSource({"file, 5000", "file, 300000", "other, 5000", "other, 300000"})
    void readsLongLinesAndLargeChunks(String scheme, int chunkBytes) throws IOException {
        byte[] file = new byte[2_000_000];
        Arrays.fill(file, (byte) 'x');
        for (int at = 0; at < 1_000_000; at += 99) {
            file[at] = '\n';
        }
        file[1_500_000] = '\n';
        Path path = path(scheme, write("long", file));
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (FileSourceSplit split : splits(700_001, path)) {
            for (LineChunk chunk :
                    read(new LineChunkFormat(chunkBytes, FilePolicy.DEFAULT), split)) {
                all.writeBytes(chunk.bytes());
                assertIsWholeLines(chunk, chunkBytes, all.size() == file.length, "");
            }
        }
        assertThat(Arrays.equals(all.toByteArray(), file)).isTrue();
    }

    @Test
    void cutsChunksAtTheLastLineThatFits() throws IOException {
        write("f", "aa\nbb\ncccccccccc\nd\n");
        assertThat(readAll(new LineChunkFormat(7, FilePolicy.DEFAULT), 1 << 20))
                .containsExactly("aa\nbb\n", "cccccccccc\n", "d\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"file", "other"})
    void keepsOrTerminatesALastLine(String scheme) throws IOException {
        Path path = path(scheme, write("f", bytes("a\nb")));
        assertThat(readAll(new LineChunkFormat(100, FilePolicy.DEFAULT), 100, path))
                .containsExactly("a\nb");
        assertThat(readAll(new LineChunkFormat(100, TERMINATED), 100, path))
                .containsExactly("a\nb\n");
        assertThat(readAll(new LineChunkFormat(100, TERMINATED), 2, path))
                .containsExactly("a\n", "b\n");
        write("f", "a\nb\n");
        assertThat(readAll(new LineChunkFormat(100, TERMINATED), 2, path))
                .containsExactly("a\n", "b\n");
    }

    @Test
    void terminatesTheLastLineOfACompressedFile() throws IOException {
        Path path = zipped("a\nb");
        assertThat(readAll(new LineChunkFormat(2, TERMINATED), 2, path))
                .containsExactly("a\n", "b\n");
        assertThat(readAll(new LineChunkFormat(2, FilePolicy.DEFAULT), 2, path))
                .containsExactly("a\n", "b");
    }

    @Test
    void growsForLongLinesOverManySplits() throws IOException {
        String text = "x".repeat(30_000) + "\ny\n";
        write("f", text);
        assertThat(String.join("", readAll(new LineChunkFormat(1000, FilePolicy.DEFAULT), 700)))
                .isEqualTo(text);
    }

    @Test
    void anEmptyFileHasNoChunks() throws IOException {
        write("f", "");
        assertThat(readAll(new LineChunkFormat(100, FilePolicy.DEFAULT), 100)).isEmpty();
    }

    @Test
    void readsACompressedFileAsOneSplit() throws IOException {
        String text = "line\n".repeat(5000);
        Collection<FileSourceSplit> splits = splits(10, zipped(text));
        assertThat(splits).hasSize(1);
        FileSourceSplit split = splits.iterator().next();
        LineChunkFormat format = new LineChunkFormat(999, FilePolicy.DEFAULT);
        assertThat(join(read(format, split))).isEqualTo(text);
        FileSourceSplit resumed =
                split.updateWithCheckpointedPosition(new CheckpointedPosition(20_000, 0));
        try (BulkFormat.Reader<LineChunk> reader = format.restoreReader(CONFIG, resumed)) {
            assertThat(join(read(reader))).isEqualTo(text.substring(20_000));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"file", "other"})
    void saysThatAFileWasCut(String scheme) throws IOException {
        Path path = path(scheme, write("f", bytes("one\ntwo\n")));
        FileSourceSplit split = splits(100, path).iterator().next();
        Files.writeString(directory.resolve("f"), "one\n");
        assertThatThrownBy(() -> read(new LineChunkFormat(100, FilePolicy.DEFAULT), split))
                .isInstanceOf(IOException.class)
                .hasMessage(
                        "an input file is shorter than when it was listed: file="
                                + path
                                + ", fileBytes=8; leave input files as they are until the job ends, or"
                                + " use LineFiles.onMissingFile(MissingFile.SKIP), in SQL 'missing-file' = 'skip'");
    }

    @Test
    void waitsUntilChunksAreReleased() throws Exception {
        Path path = path("file", write("f", bytes("a\n".repeat(10))));
        try (BulkFormat.Reader<LineChunk> reader =
                new LineChunkFormat(2, FilePolicy.DEFAULT).createReader(CONFIG, split(path))) {
            BulkFormat.RecordIterator<LineChunk> first = reader.readBatch();
            for (int i = 1; i < ChunkReader.MAX_CHUNKS; i++) {
                reader.readBatch();
            }
            CompletableFuture<Object> next =
                    CompletableFuture.supplyAsync(
                            () -> {
                                try {
                                    return reader.readBatch();
                                } catch (IOException e) {
                                    throw new UncheckedIOException(e);
                                }
                            });
            assertThatThrownBy(() -> next.get(100, TimeUnit.MILLISECONDS))
                    .isInstanceOf(TimeoutException.class);
            first.releaseBatch();
            assertThat(next.get(10, TimeUnit.SECONDS)).isNotNull();
        }
    }

    private List<String> readAll(LineChunkFormat format, int splitBytes) throws IOException {
        return readAll(format, splitBytes, path("file", directory.resolve("f")));
    }

    private static List<String> readAll(LineChunkFormat format, int splitBytes, Path path)
            throws IOException {
        List<String> chunks = new ArrayList<>();
        for (FileSourceSplit split : splits(splitBytes, path)) {
            read(format, split).forEach(chunk -> chunks.add(ascii(chunk)));
        }
        return chunks;
    }

    private static Collection<FileSourceSplit> splits(int splitBytes, Path path)
            throws IOException {
        FileLister lister = FileLister.of(List.of(FileInput.of(path)));
        return new SplitQueue(lister.enumerateSplits(null, 1), 1, splitBytes, splitBytes)
                .remainingSplits();
    }

    static FileSourceSplit split(Path path) throws IOException {
        return splits(1 << 20, path).iterator().next();
    }

    private static List<LineChunk> read(LineChunkFormat format, FileSourceSplit split)
            throws IOException {
        try (BulkFormat.Reader<LineChunk> reader = format.createReader(CONFIG, split)) {
            return read(reader);
        }
    }

    static List<LineChunk> read(BulkFormat.Reader<LineChunk> reader) throws IOException {
        List<LineChunk> chunks = new ArrayList<>();
        for (RecordAndPosition<LineChunk> next; (next = next(reader)) != null; ) {
            chunks.add(next.getRecord());
        }
        return chunks;
    }

    static RecordAndPosition<LineChunk> next(BulkFormat.Reader<LineChunk> reader)
            throws IOException {
        BulkFormat.RecordIterator<LineChunk> batch = reader.readBatch();
        if (batch == null) {
            return null;
        }
        RecordAndPosition<LineChunk> next = batch.next();
        batch.releaseBatch();
        return next;
    }

    private static String join(List<LineChunk> chunks) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        chunks.forEach(chunk -> all.writeBytes(chunk.bytes()));
        return all.toString(StandardCharsets.US_ASCII);
    }

    private static String ascii(LineChunk chunk) {
        return new String(chunk.bytes(), StandardCharsets.US_ASCII);
    }

    static Path path(String scheme, java.nio.file.Path file) {
        return scheme.equals("other") ? OtherFileSystem.path(file) : new Path(file.toUri());
    }

    private java.nio.file.Path write(String name, byte[] bytes) throws IOException {
        return Files.write(directory.resolve(name), bytes);
    }

    private void write(String name, String text) throws IOException {
        write(name, bytes(text));
    }

    private Path zipped(String text) throws IOException {
        java.nio.file.Path file = directory.resolve("f.gz");
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
            out.write(bytes(text));
        }
        return path("file", file);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
