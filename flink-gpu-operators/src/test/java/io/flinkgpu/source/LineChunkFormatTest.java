package io.flinkgpu.source;

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
import org.junit.jupiter.params.provider.ValueSource;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Random;
import java.util.zip.GZIPOutputStream;

import static org.assertj.core.api.Assertions.assertThat;

/** Every line is read once, whatever the splits, the chunks and the failures. */
class LineChunkFormatTest {

    private static final Configuration CONFIG = new Configuration();

    @TempDir java.nio.file.Path directory;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void everyLineOnceForEverySplitSize(long seed) throws IOException {
        Random random = new Random(seed);
        String text = randomText(random);
        write("f", text);
        for (int splitBytes : new int[] {1, 2, 3, 5, 8, 13, 100, 1000, 1 << 20}) {
            int chunkBytes = 1 + random.nextInt(60);
            LineChunkFormat format = new LineChunkFormat(chunkBytes, false);
            StringBuilder all = new StringBuilder();
            for (FileSourceSplit split : splits(splitBytes, "f")) {
                for (LineChunk chunk : read(format, split)) {
                    assertThat(chunk.offsetBytes())
                            .as("seed=%d, splitBytes=%d", seed, splitBytes)
                            .isEqualTo(all.length());
                    all.append(ascii(chunk));
                    assertThat(all.length() == text.length() || ascii(chunk).endsWith("\n"))
                            .isTrue();
                }
            }
            assertThat(all)
                    .as("seed=%d, splitBytes=%d, chunkBytes=%d", seed, splitBytes, chunkBytes)
                    .hasToString(text);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void everyLineOnceWhenTheReaderIsRestoredBehindEachChunk(long seed) throws IOException {
        Random random = new Random(seed);
        String text = randomText(random);
        write("f", text);
        LineChunkFormat format = new LineChunkFormat(1 + random.nextInt(60), false);
        StringBuilder all = new StringBuilder();
        for (FileSourceSplit split : splits(1 + random.nextInt(200), "f")) {
            FileSourceSplit resumed = split;
            while (true) {
                try (BulkFormat.Reader<LineChunk> reader = format.restoreReader(CONFIG, resumed)) {
                    RecordAndPosition<LineChunk> next = next(reader);
                    if (next == null) {
                        break;
                    }
                    all.append(ascii(next.getRecord()));
                    resumed =
                            split.updateWithCheckpointedPosition(
                                    new CheckpointedPosition(
                                            next.getOffset(), next.getRecordSkipCount()));
                }
            }
        }
        assertThat(all).as("seed=%d", seed).hasToString(text);
    }

    @Test
    void cutsChunksAtTheLastLineThatFits() throws IOException {
        write("f", "aa\nbb\ncccccccccc\nd\n");
        assertThat(readAll(new LineChunkFormat(7, false), 1 << 20))
                .containsExactly("aa\nbb\n", "cccccccccc\n", "d\n");
    }

    @Test
    void keepsOrTerminatesALastLine() throws IOException {
        write("f", "a\nb");
        assertThat(readAll(new LineChunkFormat(100, false), 100)).containsExactly("a\nb");
        assertThat(readAll(new LineChunkFormat(100, true), 100)).containsExactly("a\nb\n");
        assertThat(readAll(new LineChunkFormat(100, true), 2)).containsExactly("a\n", "b\n");
    }

    @Test
    void growsForLongLinesOverManySplits() throws IOException {
        String text = "x".repeat(30_000) + "\ny\n";
        write("f", text);
        assertThat(String.join("", readAll(new LineChunkFormat(1000, false), 700))).isEqualTo(text);
    }

    @Test
    void anEmptyFileHasNoChunks() throws IOException {
        write("f", "");
        assertThat(readAll(new LineChunkFormat(100, false), 100)).isEmpty();
    }

    @Test
    void readsACompressedFileAsOneSplit() throws IOException {
        String text = "line\n".repeat(5000);
        try (OutputStream out =
                new GZIPOutputStream(Files.newOutputStream(directory.resolve("f.gz")))) {
            out.write(text.getBytes(StandardCharsets.US_ASCII));
        }
        Collection<FileSourceSplit> splits = splits(10, "f.gz");
        assertThat(splits).hasSize(1);
        FileSourceSplit split = splits.iterator().next();
        LineChunkFormat format = new LineChunkFormat(999, false);
        assertThat(join(read(format, split))).isEqualTo(text);
        FileSourceSplit resumed =
                split.updateWithCheckpointedPosition(new CheckpointedPosition(20_000, 0));
        try (BulkFormat.Reader<LineChunk> reader = format.restoreReader(CONFIG, resumed)) {
            assertThat(join(read(reader))).isEqualTo(text.substring(20_000));
        }
    }

    @Test
    void listsFilesAndSplitsInOrder() throws IOException {
        for (String name : List.of("b", "a", "c/z", "c/y", "_hidden")) {
            write(name, "12345");
        }
        List<String> listed = new ArrayList<>();
        Collection<FileSourceSplit> splits =
                new OrderedEnumerator(2)
                        .enumerateSplits(new Path[] {path("c"), path("b"), path("a")}, 4);
        OrderedAssigner assigner = new OrderedAssigner(List.of());
        List<FileSourceSplit> reversed = new ArrayList<>(splits);
        java.util.Collections.reverse(reversed);
        assigner.addSplits(reversed);
        for (FileSourceSplit split; (split = assigner.getNext(null).orElse(null)) != null; ) {
            listed.add(split.path().getName() + split.offset() + "+" + split.length());
        }
        assertThat(listed)
                .containsExactly(
                        "y0+2", "y2+2", "y4+1", "z0+2", "z2+2", "z4+1", "b0+2", "b2+2", "b4+1",
                        "a0+2", "a2+2", "a4+1");
    }

    private List<String> readAll(LineChunkFormat format, int splitBytes) throws IOException {
        List<String> chunks = new ArrayList<>();
        for (FileSourceSplit split : splits(splitBytes, "f")) {
            read(format, split).forEach(chunk -> chunks.add(ascii(chunk)));
        }
        return chunks;
    }

    private Collection<FileSourceSplit> splits(int splitBytes, String name) throws IOException {
        return new OrderedEnumerator(splitBytes).enumerateSplits(new Path[] {path(name)}, 1);
    }

    private static List<LineChunk> read(LineChunkFormat format, FileSourceSplit split)
            throws IOException {
        try (BulkFormat.Reader<LineChunk> reader = format.createReader(CONFIG, split)) {
            return read(reader);
        }
    }

    private static List<LineChunk> read(BulkFormat.Reader<LineChunk> reader) throws IOException {
        List<LineChunk> chunks = new ArrayList<>();
        for (RecordAndPosition<LineChunk> next; (next = next(reader)) != null; ) {
            chunks.add(next.getRecord());
        }
        return chunks;
    }

    private static RecordAndPosition<LineChunk> next(BulkFormat.Reader<LineChunk> reader)
            throws IOException {
        BulkFormat.RecordIterator<LineChunk> batch = reader.readBatch();
        return batch == null ? null : batch.next();
    }

    private static String join(List<LineChunk> chunks) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        chunks.forEach(chunk -> all.writeBytes(chunk.bytes()));
        return all.toString(StandardCharsets.US_ASCII);
    }

    private static String ascii(LineChunk chunk) {
        return new String(chunk.bytes(), StandardCharsets.US_ASCII);
    }

    private static String randomText(Random random) {
        StringBuilder text = new StringBuilder();
        int lines = random.nextInt(40);
        for (int line = 0; line < lines; line++) {
            int length = random.nextInt(10) == 0 ? random.nextInt(300) : random.nextInt(12);
            for (int i = 0; i < length; i++) {
                text.append((char) ('a' + random.nextInt(26)));
            }
            text.append(line == lines - 1 && random.nextBoolean() ? "" : "\n");
        }
        return text.toString();
    }

    private Path path(String name) {
        return new Path(directory.resolve(name).toUri());
    }

    private void write(String name, String text) throws IOException {
        java.nio.file.Path file = directory.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }
}
