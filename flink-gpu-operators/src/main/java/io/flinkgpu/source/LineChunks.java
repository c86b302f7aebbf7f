package io.flinkgpu.source;

import io.flinkgpu.api.LineChunk;

import org.apache.flink.connector.file.sink.FileSink;
import org.apache.flink.connector.file.src.FileSource;
import org.apache.flink.core.fs.Path;
import org.apache.flink.streaming.api.functions.sink.filesystem.PartFileInfo;
import org.apache.flink.streaming.api.functions.sink.filesystem.RollingPolicy;
import org.apache.flink.streaming.api.functions.sink.filesystem.bucketassigners.BasePathBucketAssigner;

/** Text files as streams of {@link LineChunk}s, and back. */
public final class LineChunks {

    /** 4 MiB: one default batch, and small enough that Flink's network stack keeps it in memory. */
    public static final int DEFAULT_CHUNK_BYTES = 4 << 20;

    /** 64 MiB. */
    public static final long DEFAULT_SPLIT_BYTES = 64L << 20;

    private LineChunks() {}

    /**
     * Reads files, and directories with all below them, as chunks of 4 MiB and splits of 64 MiB. Bounded
     * and exactly once. With parallelism 1 the chunks come in order: paths as given, files of a
     * directory by path, lines as they are.
     *
     * <p>Compressed files (gz and what else Flink knows by suffix) are read as one split each. Files
     * whose names start with {@code '.'} or {@code '_'} are left out.
     */
    public static FileSource<LineChunk> source(Path... paths) {
        return source(new LineChunkFormat(DEFAULT_CHUNK_BYTES, false), DEFAULT_SPLIT_BYTES, paths);
    }

    /**
     * Likewise, with a format and a split size of one's own.
     *
     * @param splitBytes how much of a file one reader takes at a time; lines are not cut
     */
    public static FileSource<LineChunk> source(
            LineChunkFormat format, long splitBytes, Path... paths) {
        if (splitBytes < 1) {
            throw new IllegalArgumentException(
                    "a split has at least a byte: splitBytes=" + splitBytes);
        }
        return FileSource.forBulkFileFormat(format, paths)
                .setFileEnumerator(() -> new OrderedEnumerator(splitBytes))
                .setSplitAssigner(OrderedAssigner::new)
                .build();
    }

    /**
     * Writes chunks to files in a directory, exactly once: each sink subtask writes one file, in the
     * order its chunks come, and the file gets its final name at the end of the input. For a bounded
     * input with parallelism 1 that is one file in input order.
     */
    public static FileSink<LineChunk> sink(Path directory) {
        return FileSink.<LineChunk>forRowFormat(
                        directory, (chunk, stream) -> stream.write(chunk.bytes()))
                .withBucketAssigner(new BasePathBucketAssigner<>())
                .withRollingPolicy(new NeverRoll())
                .build();
    }

    /** One file from start to end; Flink resumes it after a failure and ends it with the input. */
    private static final class NeverRoll implements RollingPolicy<LineChunk, String> {

        private static final long serialVersionUID = 1L;

        @Override
        public boolean shouldRollOnCheckpoint(PartFileInfo<String> file) {
            return false;
        }

        @Override
        public boolean shouldRollOnEvent(PartFileInfo<String> file, LineChunk chunk) {
            return false;
        }

        @Override
        public boolean shouldRollOnProcessingTime(PartFileInfo<String> file, long timeMillis) {
            return false;
        }
    }
}
