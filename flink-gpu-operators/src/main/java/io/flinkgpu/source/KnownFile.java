package io.flinkgpu.source;

import io.flinkgpu.api.Errors;

import org.apache.flink.connector.file.src.FileSourceSplit;
import org.apache.flink.core.fs.Path;

/**
 * A file and how far its lines were given out, written as a split without bytes, so that it passes through
 * Flink's checkpoints of file sources.
 */
record KnownFile(Path path, long end) {

    /** No other id starts with it: {@link SplitQueue}'s do with a digit, {@link NumberedSplit}'s with '#'. */
    private static final String MARKER = "=";

    private static final char VERSION = 'b';

    FileSourceSplit asMarker() {
        return new FileSourceSplit(MARKER + VERSION, path, end, 0, 0, end);
    }

    static boolean isMarker(FileSourceSplit split) {
        return split.splitId().startsWith(MARKER);
    }

    /**
     * Reads {@link #asMarker}.
     *
     * @throws IllegalStateException for another version
     */
    static KnownFile parse(FileSourceSplit marker) {
        if (!marker.splitId().equals(MARKER + VERSION)) {
            throw Errors.state(
                    "a file in a checkpoint is of a version that this release does not know:"
                            + " version='%s', known='%s', file=%s; restore it with the release that"
                            + " wrote it, or a later one",
                    marker.splitId().substring(1), VERSION, marker.path());
        }
        return new KnownFile(marker.path(), marker.offset());
    }
}
