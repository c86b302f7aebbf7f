package io.flinkgpu.bench;

import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.column.TextColumns;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.util.MemoryUtil;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Lines to measure with: those of a folder's files, or made-up service logs. */
final class BenchInput {

    private static final int MADE_UP_LINES = 40_000;

    /** Batches of an axis have so many bytes in all, so that small ones are not all alike. */
    private static final int ALL_BATCHES_BYTES = 8 << 20;

    private static final int MOST_BATCHES = 64;

    private final byte[] block;

    private BenchInput(byte[] block) {
        this.block = block;
    }

    /**
     * @param folder with {@code *.log} files
     * @throws IllegalArgumentException if it is no folder or has no lines
     */
    static BenchInput of(Optional<Path> folder) throws IOException {
        if (folder.isEmpty()) {
            return new BenchInput(ServiceLogs.lines(MADE_UP_LINES));
        }
        if (!Files.isDirectory(folder.get())) {
            throw new IllegalArgumentException(
                    "lines are read from a folder: input="
                            + folder.get()
                            + "; name one that exists");
        }
        byte[] block = read(folder.get());
        if (block.length == 0) {
            throw new IllegalArgumentException(
                    "a folder of lines has none: input="
                            + folder.get()
                            + "; put *.log files there");
        }
        return new BenchInput(block);
    }

    /** {@code bytes} bytes of whole lines, as far as lines end there; at least one line. */
    byte[] lines(int bytes) {
        return cut(block, 0, bytes);
    }

    /** Some batches of whole lines, from places all over the input. */
    List<byte[]> batches(int bytes) {
        return batches(block, bytes);
    }

    /** Batches whose rows have so many bytes, their ends included. */
    List<byte[]> batchesOfRows(int bytes, int rowBytes) {
        byte[] rows = block.clone();
        for (int i = 0; i < rows.length; i++) {
            rows[i] = rows[i] == '\n' ? (byte) ' ' : rows[i];
        }
        for (int end = rowBytes - 1; end < rows.length; end += rowBytes) {
            rows[end] = '\n';
        }
        return batches(Arrays.copyOf(rows, rows.length / rowBytes * rowBytes), bytes);
    }

    private static List<byte[]> batches(byte[] block, int bytes) {
        int count = Math.max(1, Math.min(MOST_BATCHES, ALL_BATCHES_BYTES / bytes));
        List<byte[]> batches = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int start = (int) ((long) block.length * i / count);
            while (start > 0 && block[start - 1] != '\n') {
                start--;
            }
            batches.add(cut(block, start, bytes));
        }
        return batches;
    }

    /** Whole lines from a place on, with the block repeated as needed. */
    private static byte[] cut(byte[] block, int start, int bytes) {
        byte[] lines = new byte[Math.max(bytes, 1 << 17)];
        int from = start;
        for (int at = 0; at < lines.length; from = 0) {
            int length = Math.min(block.length - from, lines.length - at);
            System.arraycopy(block, from, lines, at, length);
            at += length;
        }
        int end = bytes;
        while (end > 0 && lines[end - 1] != '\n') {
            end--;
        }
        if (end == 0) {
            end = bytes;
            while (lines[end - 1] != '\n') {
                end++;
            }
        }
        return Arrays.copyOf(lines, end);
    }

    private static byte[] read(Path folder) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.filter(f -> f.toString().endsWith(".log")).sorted().toList()) {
                byte[] bytes = Files.readAllBytes(file);
                out.write(bytes);
                if (bytes.length > 0 && bytes[bytes.length - 1] != '\n') {
                    out.write('\n');
                }
            }
        }
        return out.toByteArray();
    }

    /** How many lines there are. */
    static int count(byte[] lines) {
        int rows = 0;
        for (byte b : lines) {
            rows += b == '\n' ? 1 : 0;
        }
        return rows;
    }

    /** The rows of whole lines, without their ends. */
    static List<String> rows(byte[] lines) {
        return new String(lines, StandardCharsets.UTF_8).lines().toList();
    }

    /** Whole lines as a batch of one text column; the caller closes it. */
    static ColumnBatch batch(BufferAllocator allocator, byte[] lines) {
        int rows = count(lines);
        try (ArrowBuf data = allocator.buffer(Math.max(1, lines.length));
                ArrowBuf offsets = allocator.buffer(4L * (rows + 1))) {
            MemoryUtil.copyToMemory(lines, 0, data.memoryAddress(), lines.length);
            int row = 0;
            offsets.setInt(0, 0);
            for (int i = 0; i < lines.length; i++) {
                if (lines[i] == '\n') {
                    offsets.setInt(4L * ++row, i + 1);
                }
            }
            data.writerIndex(lines.length);
            return TextColumns.of(allocator, rows, offsets, data, 1);
        }
    }
}
