package io.flinkgpu.source;

import io.flinkgpu.api.FilePolicy;
import io.flinkgpu.api.LineChunk;

import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.file.src.FileSourceSplit;
import org.apache.flink.connector.file.src.reader.BulkFormat;
import org.apache.flink.connector.file.src.util.CheckpointedPosition;

import org.apache.commons.compress.compressors.bzip2.BZip2CompressorOutputStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.Random;
import java.util.zip.GZIPOutputStream;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Compressed files that are several such files one behind the other, as parallel compressors write them
 * and as others are appended: every line of them is read.
 *
 * <p>Covers: StreamChunkReader.
 */
class CompressedFilesTest {

    private static final Configuration CONFIG = new Configuration();

    @TempDir java.nio.file.Path directory;

    @ParameterizedTest
    @CsvSource({"gz, file", "gz, other", "bz2, file", "bz2, other"})
    void allThatAreInOneFile(String suffix, String scheme) throws IOException {
        for (long seed = 1; seed <= 40; seed++) {
            Random random = new Random(seed);
            ByteArrayOutputStream compressed = new ByteArrayOutputStream();
            ByteArrayOutputStream text = new ByteArrayOutputStream();
            for (int part = 1 + random.nextInt(6); part > 0; part--) {
                byte[] bytes = RandomLines.file(random);
                text.writeBytes(bytes);
                compressed.writeBytes(compressed(suffix, bytes));
            }
            java.nio.file.Path file = directory.resolve("f" + seed + "." + suffix);
            Files.write(file, compressed.toByteArray());
            String all = text.toString(StandardCharsets.ISO_8859_1);
            FileSourceSplit split =
                    LineChunkFormatTest.split(LineChunkFormatTest.path(scheme, file));
            assertThat(read(split, false)).as("seed=%d", seed).isEqualTo(all);
            int resumeAt = random.nextInt(all.length() + 1);
            FileSourceSplit resumed =
                    split.updateWithCheckpointedPosition(new CheckpointedPosition(resumeAt, 0));
            assertThat(read(resumed, true))
                    .as("seed=%d, resumeAt=%d", seed, resumeAt)
                    .isEqualTo(all.substring(resumeAt));
        }
    }

    private static byte[] compressed(String suffix, byte[] bytes) throws IOException {
        ByteArrayOutputStream compressed = new ByteArrayOutputStream();
        try (OutputStream out =
                suffix.equals("gz")
                        ? new GZIPOutputStream(compressed)
                        : new BZip2CompressorOutputStream(compressed)) {
            out.write(bytes);
        }
        return compressed.toByteArray();
    }

    private static String read(FileSourceSplit split, boolean restore) throws IOException {
        LineChunkFormat format = new LineChunkFormat(1000, FilePolicy.DEFAULT);
        StringBuilder text = new StringBuilder();
        try (BulkFormat.Reader<LineChunk> reader =
                restore
                        ? format.restoreReader(CONFIG, split)
                        : format.createReader(CONFIG, split)) {
            for (LineChunk chunk : LineChunkFormatTest.read(reader)) {
                text.append(new String(chunk.bytes(), StandardCharsets.ISO_8859_1));
            }
        }
        return text.toString();
    }
}
