package io.flinkgpu.source;

import io.flinkgpu.api.FilePolicy;
import io.flinkgpu.api.LineChunk;
import io.flinkgpu.bench.ReadTimes;
import io.flinkgpu.files.FileReports;

import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.file.src.FileSourceSplit;
import org.apache.flink.connector.file.src.reader.BulkFormat;
import org.apache.flink.core.fs.Path;

import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.OptionalLong;

/** What it costs to read a file as chunks: {@code main FILE}, the file in page cache. */
public final class ChunkReadBench {

    private static final int CHUNK_BYTES = LineFiles.DEFAULT_CHUNK_BYTES;
    private static final long SPLIT_BYTES = LineFiles.DEFAULT_SPLIT_BYTES;

    private ChunkReadBench() {}

    public static void main(String[] args) throws IOException {
        FileLister lister =
                FileLister.of(
                        List.of(FileInput.of(new Path(java.nio.file.Path.of(args[0]).toUri()))));
        Collection<FileSourceSplit> splits =
                new SplitQueue(
                                lister.enumerateSplits(lister.paths(), 1),
                                1,
                                SPLIT_BYTES,
                                SPLIT_BYTES)
                        .remainingSplits();
        LineChunkFormat format = new LineChunkFormat(CHUNK_BYTES, FilePolicy.DEFAULT);
        ReadTimes.print(
                "chunks of a local file",
                () -> {
                    long bytes = 0;
                    for (FileSourceSplit split : splits) {
                        bytes += read(format.createReader(new Configuration(), split));
                    }
                    return bytes;
                });
        ReadTimes.print(
                "chunks of a stream",
                () -> {
                    long bytes = 0;
                    for (FileSourceSplit split : splits) {
                        bytes +=
                                read(
                                        new StreamChunkReader(
                                                split,
                                                new ChunkReader.Options(
                                                        CHUNK_BYTES,
                                                        FilePolicy.DEFAULT,
                                                        FileReports.uncounted()),
                                                OptionalLong.empty()));
                    }
                    return bytes;
                });
    }

    private static long read(BulkFormat.Reader<LineChunk> reader) throws IOException {
        try (reader) {
            long bytes = 0;
            for (BulkFormat.RecordIterator<LineChunk> next; (next = reader.readBatch()) != null; ) {
                bytes += next.next().getRecord().bytes().length;
                next.releaseBatch();
            }
            return bytes;
        }
    }
}
