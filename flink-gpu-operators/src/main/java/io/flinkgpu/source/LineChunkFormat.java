package io.flinkgpu.source;

import io.flinkgpu.api.LineChunk;
import io.flinkgpu.api.LineChunkTypeInfo;

import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.file.src.FileSourceSplit;
import org.apache.flink.connector.file.src.reader.BulkFormat;
import org.apache.flink.connector.file.src.util.CheckpointedPosition;

import java.io.IOException;

/**
 * Reads the lines of a file as {@link LineChunk}s. A line belongs to the split that holds its first
 * byte, so each line is read once, however the file is split.
 */
public final class LineChunkFormat implements BulkFormat<LineChunk, FileSourceSplit> {

    private static final long serialVersionUID = 1L;

    private final int chunkBytes;
    private final boolean terminateLastLine;

    /**
     * @param chunkBytes bytes in a chunk; a longer line is a chunk of its own
     * @param terminateLastLine whether to add the {@code '\n'} that a file's last line may lack
     */
    public LineChunkFormat(int chunkBytes, boolean terminateLastLine) {
        if (chunkBytes < 1 || chunkBytes > 1 << 28) {
            throw new IllegalArgumentException(
                    "a chunk has 1 byte to 256 MiB: chunkBytes=" + chunkBytes);
        }
        this.chunkBytes = chunkBytes;
        this.terminateLastLine = terminateLastLine;
    }

    @Override
    public Reader<LineChunk> createReader(Configuration config, FileSourceSplit split)
            throws IOException {
        return new LineChunkReader(split, chunkBytes, terminateLastLine);
    }

    @Override
    public Reader<LineChunk> restoreReader(Configuration config, FileSourceSplit split)
            throws IOException {
        long position =
                split.getReaderPosition()
                        .map(CheckpointedPosition::getOffset)
                        .orElse(CheckpointedPosition.NO_OFFSET);
        return position == CheckpointedPosition.NO_OFFSET
                ? createReader(config, split)
                : new LineChunkReader(split, chunkBytes, terminateLastLine, position);
    }

    @Override
    public boolean isSplittable() {
        return true;
    }

    @Override
    public TypeInformation<LineChunk> getProducedType() {
        return LineChunkTypeInfo.INSTANCE;
    }
}
