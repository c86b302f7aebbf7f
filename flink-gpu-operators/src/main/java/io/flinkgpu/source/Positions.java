package io.flinkgpu.source;

import org.apache.flink.connector.file.src.FileSourceSplit;
import org.apache.flink.connector.file.src.util.CheckpointedPosition;

import java.util.OptionalLong;

/** Where the reading of a split goes on. */
final class Positions {

    private Positions() {}

    /** The position that a checkpoint has of a split; empty if none of its records had been read. */
    static OptionalLong of(FileSourceSplit split) {
        return split.getReaderPosition().stream()
                .mapToLong(CheckpointedPosition::getOffset)
                .filter(offset -> offset != CheckpointedPosition.NO_OFFSET)
                .findFirst();
    }
}
