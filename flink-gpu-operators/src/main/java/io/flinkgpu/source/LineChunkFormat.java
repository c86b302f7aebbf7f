package io.flinkgpu.source;

import io.flinkgpu.api.FilePolicy;
import io.flinkgpu.api.LineChunk;
import io.flinkgpu.api.LineChunkTypeInfo;
import io.flinkgpu.files.FileReports;
import io.flinkgpu.files.MissingFileException;

import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.connector.file.src.FileSourceSplit;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.local.LocalFileSystem;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.OptionalLong;

/** Reads the lines of a file as {@link LineChunk}s. */
final class LineChunkFormat extends LineFormat<LineChunk> {

    private static final long serialVersionUID = 1L;

    private final int chunkBytes;
    private final FilePolicy policy;

    /** Null where nobody asked for reports. */
    private final transient FileReports reports;

    /**
     * @param chunkBytes bytes in a chunk; a longer line is a chunk of its own
     */
    LineChunkFormat(int chunkBytes, FilePolicy policy) {
        this(chunkBytes, policy, null);
    }

    private LineChunkFormat(int chunkBytes, FilePolicy policy, FileReports reports) {
        this.chunkBytes = chunkBytes;
        this.policy = policy;
        this.reports = reports;
    }

    @Override
    LineFormat<LineChunk> reporting(FileReports to) {
        return new LineChunkFormat(chunkBytes, policy, to);
    }

    @Override
    Reader<LineChunk> reader(FileSourceSplit split, OptionalLong resumeAt) throws IOException {
        ChunkReader.Options options =
                new ChunkReader.Options(
                        chunkBytes, policy, reports == null ? FileReports.uncounted() : reports);
        MissingFileException missing;
        try {
            return reader(split, options, resumeAt);
        } catch (MissingFileException e) {
            missing = e;
        } catch (FileNotFoundException e) {
            missing = MissingFileException.gone(split.path().toString(), e);
        }
        options.reports().missing(missing, policy);
        return new NoChunks();
    }

    private static Reader<LineChunk> reader(
            FileSourceSplit split, ChunkReader.Options options, OptionalLong resumeAt)
            throws IOException {
        // Unguarded, as the guard's wrapper hides which file system it is.
        FileSystem fileSystem = FileSystem.getUnguardedFileSystem(split.path().toUri());
        return fileSystem instanceof LocalFileSystem local
                        && !Compressions.isCompressed(split.path())
                ? new LocalChunkReader(local, split, options, resumeAt)
                : new StreamChunkReader(split, options, resumeAt);
    }

    @Override
    public TypeInformation<LineChunk> getProducedType() {
        return LineChunkTypeInfo.INSTANCE;
    }
}
