package io.flinkgpu.source;

import io.flinkgpu.api.FilePolicy;
import io.flinkgpu.api.LineChunk;
import io.flinkgpu.files.FileReports;

import org.apache.flink.connector.file.src.FileSourceSplit;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.local.LocalFileSystem;

import java.io.IOException;
import java.util.OptionalLong;

/** Reads the lines of a file as {@link LineChunk}s. */
final class LineChunkFormat extends ChunkFormat {

    private static final long serialVersionUID = 1L;

    private final int chunkBytes;
    private final FilePolicy policy;

    /**
     * @param chunkBytes bytes in a chunk; a longer line is a chunk of its own
     */
    LineChunkFormat(int chunkBytes, FilePolicy policy) {
        this(chunkBytes, policy, null);
    }

    private LineChunkFormat(int chunkBytes, FilePolicy policy, FileReports reports) {
        super(policy, reports);
        this.chunkBytes = chunkBytes;
        this.policy = policy;
    }

    @Override
    LineFormat<LineChunk> reporting(FileReports to) {
        return new LineChunkFormat(chunkBytes, policy, to);
    }

    @Override
    Reader<LineChunk> open(FileSourceSplit split, FileReports reports, OptionalLong resumeAt)
            throws IOException {
        ChunkReader.Options options = new ChunkReader.Options(chunkBytes, policy, reports);
        // Unguarded, as the guard's wrapper hides which file system it is.
        FileSystem fileSystem = FileSystem.getUnguardedFileSystem(split.path().toUri());
        return fileSystem instanceof LocalFileSystem local
                        && !Compressions.isCompressed(split.path())
                ? new LocalChunkReader(local, split, options, resumeAt)
                : new StreamChunkReader(split, options, resumeAt);
    }
}
