package io.flinkgpu.source;

import io.flinkgpu.api.LentLines;
import io.flinkgpu.api.LineChunk;
import io.flinkgpu.bench.ReadTimes;
import io.flinkgpu.column.TextView;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * What it costs to write lines from column memory to a file, from an array that is made of them and as
 * lent lines: {@code main FOLDER}, the folder in memory.
 */
public final class LineWriteBench {

    private static final int CHUNK_BYTES = 4 << 20;
    private static final int STEP_BYTES = 128 << 10;
    private static final int CHUNKS = 32;

    private LineWriteBench() {}

    public static void main(String[] args) throws IOException {
        byte[] step = new byte[STEP_BYTES];
        try (BufferAllocator allocator = new RootAllocator();
                ArrowBuf memory = allocator.buffer((long) CHUNKS * CHUNK_BYTES)) {
            memory.setOne(0, memory.capacity());
            ReadTimes.print(
                    "lines in an array",
                    () ->
                            write(
                                    Path.of(args[0]),
                                    (at, out) -> {
                                        byte[] bytes = text(memory, at).copy(0, CHUNK_BYTES);
                                        new LineChunk("", 0, bytes).writeTo(out, step);
                                    }));
            ReadTimes.print(
                    "lent lines",
                    () ->
                            write(
                                    Path.of(args[0]),
                                    (at, out) -> {
                                        TextView text = text(memory, at);
                                        try (LentLines lent =
                                                new LentLines(CHUNK_BYTES, text::copy)) {
                                            new LineChunk("", 0, lent).writeTo(out, step);
                                        }
                                    }));
        }
    }

    private static TextView text(ArrowBuf memory, int chunk) {
        return new TextView(0, memory.memoryAddress() + (long) chunk * CHUNK_BYTES, 0, 1);
    }

    private static long write(Path folder, Writer writer) throws IOException {
        Path file = Files.createTempFile(folder, "written", "");
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE);
                OutputStream out = Channels.newOutputStream(channel)) {
            for (int at = 0; at < CHUNKS; at++) {
                writer.write(at, out);
            }
        } finally {
            Files.delete(file);
        }
        return (long) CHUNKS * CHUNK_BYTES;
    }

    /** Writes a chunk. */
    private interface Writer {

        void write(int chunk, OutputStream out) throws IOException;
    }
}
