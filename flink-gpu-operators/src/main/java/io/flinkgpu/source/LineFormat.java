package io.flinkgpu.source;

import io.flinkgpu.files.FileReports;

import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.file.src.FileSourceSplit;
import org.apache.flink.connector.file.src.reader.BulkFormat;
import org.apache.flink.connector.file.src.util.CheckpointedPosition;

import java.io.IOException;
import java.util.OptionalLong;

/** A format whose positions are byte offsets: with one of them a reader goes on where another stopped. */
abstract class LineFormat<T> implements BulkFormat<T, FileSourceSplit> {

    private static final long serialVersionUID = 1L;

    /**
     * @param resumeAt where to go on; empty to read all of the split
     */
    abstract Reader<T> reader(FileSourceSplit split, OptionalLong resumeAt) throws IOException;

    /** The same format, for one reader, which reports what it finds. */
    abstract LineFormat<T> reporting(FileReports reports);

    /** Which lines start a record, where one is not cut into splits; null where lines are by themselves. */
    RecordStart recordStart() {
        return null;
    }

    @Override
    public final Reader<T> createReader(Configuration config, FileSourceSplit split)
            throws IOException {
        return reader(split, OptionalLong.empty());
    }

    /** A position that no checkpoint has says that none of the split's records had been read. */
    @Override
    public final Reader<T> restoreReader(Configuration config, FileSourceSplit split)
            throws IOException {
        return reader(
                split,
                split.getReaderPosition().stream()
                        .mapToLong(CheckpointedPosition::getOffset)
                        .filter(offset -> offset != CheckpointedPosition.NO_OFFSET)
                        .findFirst());
    }

    @Override
    public final boolean isSplittable() {
        return true;
    }
}
