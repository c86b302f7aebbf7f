package io.flinkgpu.operator.lines;

import io.flinkgpu.api.LineRange;
import io.flinkgpu.bench.ReadTimes;
import io.flinkgpu.files.FileReports;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What it costs to read a file as ranges, and to find its lines as well: {@code main FILE}, the file in
 * page cache.
 */
public final class RangeReadBench {

    private static final int MEMORY_BYTES = 4 << 20;
    private static final int RANGE_BYTES = MEMORY_BYTES - (64 << 10);

    private RangeReadBench() {}

    public static void main(String[] args) throws IOException {
        long fileBytes = Files.size(Path.of(args[0]));
        try (BufferAllocator allocator = new RootAllocator();
                ArrowBuf memory = allocator.buffer(MEMORY_BYTES);
                LineRangeReader reader = new LineRangeReader(FileReports.uncounted())) {
            ReadTimes.print(
                    "ranges of a local file",
                    () -> {
                        long bytes = 0;
                        for (long offset = 0; offset < fileBytes; offset += RANGE_BYTES) {
                            long length = Math.min(RANGE_BYTES, fileBytes - offset);
                            int found =
                                    reader.find(new LineRange(args[0], offset, length, fileBytes));
                            reader.read(memory.memoryAddress(), 0, found);
                            bytes += found;
                        }
                        return bytes;
                    });
        }
        try (BufferAllocator allocator = new RootAllocator();
                LineBatchBuilder builder =
                        new LineBatchBuilder(
                                allocator,
                                1 << 16,
                                MEMORY_BYTES,
                                LineBatchBuilder.Split.ROWS,
                                FileReports.uncounted())) {
            ReadTimes.print(
                    "lines of ranges of a local file",
                    () -> {
                        long bytes = 0;
                        for (long offset = 0; offset < fileBytes; offset += RANGE_BYTES) {
                            long length = Math.min(RANGE_BYTES, fileBytes - offset);
                            builder.append(new LineRange(args[0], offset, length, fileBytes));
                            bytes += builder.bytes();
                            builder.columns().close();
                            builder.takeSegments();
                        }
                        return bytes;
                    });
        }
    }
}
