package io.flinkgpu.source;

import org.apache.flink.connector.file.src.FileSourceSplit;
import org.apache.flink.core.fs.Path;

/**
 * A number, a subtask and perhaps a split, written as a split that only differs in its id: so it passes
 * through Flink's events and checkpoints of file sources.
 *
 * @param subtask which reader it concerns
 * @param number of an assignment; rises over all readers, and across restarts
 * @param split as the queue has it; null if there is none
 */
record NumberedSplit(int subtask, long number, FileSourceSplit split) {

    /** No id of a {@link SplitQueue} starts with it: those start with a digit. */
    private static final String MARKER = "#";

    /** What a reader's checkpoint says of the splits it has received. */
    FileSourceSplit asMarker() {
        String id = MARKER + subtask + MARKER + number;
        return new FileSourceSplit(id, new Path("/"), 0, 0, 0, 0);
    }

    /** What the enumerator's checkpoint says of a split that is on its way to a reader. */
    FileSourceSplit asAssigned() {
        return withId(split, MARKER + subtask + MARKER + number + MARKER + split.splitId());
    }

    /** What goes to the reader, whose id sorts like the split's. */
    FileSourceSplit asSent() {
        return withId(split, split.splitId() + MARKER + number);
    }

    static boolean isNumbered(FileSourceSplit split) {
        return split.splitId().startsWith(MARKER);
    }

    /** Reads {@link #asMarker} and {@link #asAssigned}. */
    static NumberedSplit parse(FileSourceSplit split) {
        String[] parts = split.splitId().split(MARKER, 4);
        return new NumberedSplit(
                Integer.parseInt(parts[1]),
                Long.parseLong(parts[2]),
                parts.length < 4 ? null : withId(split, parts[3]));
    }

    /** The number of a split that was sent. */
    static long numberOf(FileSourceSplit sent) {
        String id = sent.splitId();
        return Long.parseLong(id.substring(id.lastIndexOf(MARKER) + 1));
    }

    /** A split that was sent, as the queue had it. */
    static FileSourceSplit unnumbered(FileSourceSplit sent) {
        String id = sent.splitId();
        return withId(sent, id.substring(0, id.lastIndexOf(MARKER)));
    }

    private static FileSourceSplit withId(FileSourceSplit split, String id) {
        return new FileSourceSplit(
                id,
                split.path(),
                split.offset(),
                split.length(),
                split.fileModificationTime(),
                split.fileSize(),
                split.hostnames(),
                split.getReaderPosition().orElse(null));
    }
}
