package io.flinkgpu.source;

import io.flinkgpu.api.LineChunk;
import io.flinkgpu.api.LineChunkTypeInfo;

import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.connector.file.src.FileSourceSplit;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.local.LocalFileSystem;

import java.io.IOException;
import java.util.OptionalLong;

/** Reads the lines of a file as {@link LineChunk}s. */
final class LineChunkFormat extends LineFormat<LineChunk> {

    private static final long serialVersionUID = 1L;

    private final int chunkBytes;
    private final boolean terminateLastLine;

    /**
     * @param chunkBytes bytes in a chunk; a longer line is a chunk of its own
     * @param terminateLastLine whether to add the {@code '\n'} that a file's last line may lack
     */
    LineChunkFormat(int chunkBytes, boolean terminateLastLine) {
        this.chunkBytes = chunkBytes;
        this.terminateLastLine = terminateLastLine;
    }

    @Override
    Reader<LineChunk> reader(FileSourceSplit split, OptionalLong resumeAt) throws IOException {
        // Unguarded, as the guard's wrapper hides which file system it is.
        FileSystem fileSystem = FileSystem.getUnguardedFileSystem(split.path().toUri());
        return fileSystem instanceof LocalFileSystem local
                        && !Compressions.isCompressed(split.path())
                ? new LocalChunkReader(local, split, chunkBytes, terminateLastLine, resumeAt)
                : new StreamChunkReader(split, chunkBytes, terminateLastLine, resumeAt);
    }

    @Override
    public TypeInformation<LineChunk> getProducedType() {
        return LineChunkTypeInfo.INSTANCE;
    }
}
