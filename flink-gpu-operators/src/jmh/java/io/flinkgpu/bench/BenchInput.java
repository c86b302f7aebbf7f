package io.flinkgpu.bench;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.Stream;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.util.MemoryUtil;

import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.column.TextColumns;

/** Lines to measure with: those of a folder's files, or made-up service logs. */
final class BenchInput {

    private static final String[] SHAPES = {
        "%1$s INFO  [worker-%2$d] c.acme.orders.OrderService - order %3$d accepted in %4$d ms",
        "%1$s WARN  [http-%2$d] c.acme.web.Gateway - slow upstream 10.%4$d.7.%2$d:8080 took %3$d us",
        "10.0.%2$d.%4$d - - \"GET /api/v1/items/%3$d?page=%2$d HTTP/1.1\" 200 %3$d",
        "{\"ts\":\"%1$s\",\"level\":\"info\",\"svc\":\"billing\",\"msg\":\"invoice %3$d sent\",\"ms\":%4$d}",
        "%1$s ERROR db.Pool - connection lost to db%2$d.internal, retry %4$d of 5 after %3$d ms",
        "%1$s INFO  auth - login of user%3$d@example.org from 192.168.%2$d.%4$d succeeded",
        "%1$s DEBUG cache.Evictor - evicted %3$d entries from region orders-eu-west-%2$d",
        "kernel: [%3$d.%4$d] eth%2$d: link becomes ready"
    };

    private BenchInput() {}

    /**
     * At least {@code bytes} bytes of whole lines.
     *
     * @param folder files to read, repeated as needed; or empty for made-up lines
     */
    static byte[] lines(String folder, int bytes) throws IOException {
        byte[] block = folder.isEmpty() ? madeUp() : read(Path.of(folder));
        ByteArrayOutputStream out = new ByteArrayOutputStream(bytes + block.length);
        while (out.size() < bytes) {
            out.write(block);
        }
        return cutAtLine(out.toByteArray(), bytes);
    }

    private static byte[] cutAtLine(byte[] lines, int bytes) {
        int end = bytes;
        while (end > 0 && lines[end - 1] != '\n') {
            end--;
        }
        return Arrays.copyOf(lines, end);
    }

    private static byte[] madeUp() {
        Random random = new Random(1);
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 20_000; i++) {
            String time =
                    String.format(
                            Locale.ROOT,
                            "2026-03-%02dT%02d:%02d:%02d.%03dZ",
                            1 + random.nextInt(28),
                            random.nextInt(24),
                            random.nextInt(60),
                            random.nextInt(60),
                            random.nextInt(1000));
            text.append(
                            String.format(
                                    Locale.ROOT,
                                    SHAPES[random.nextInt(SHAPES.length)],
                                    time,
                                    random.nextInt(16),
                                    random.nextInt(1_000_000),
                                    random.nextInt(256)))
                    .append('\n');
        }
        return text.toString().getBytes(StandardCharsets.UTF_8);
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

    /** The rows of whole lines, without their ends. */
    static List<String> rows(byte[] lines) {
        List<String> rows = new ArrayList<>();
        for (String row : new String(lines, StandardCharsets.UTF_8).split("\n", -1)) {
            rows.add(row);
        }
        rows.remove(rows.size() - 1);
        return rows;
    }

    /** Whole lines as a batch of one text column; the caller closes it. */
    static ColumnBatch batch(BufferAllocator allocator, byte[] lines) {
        int rows = 0;
        for (byte b : lines) {
            rows += b == '\n' ? 1 : 0;
        }
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
