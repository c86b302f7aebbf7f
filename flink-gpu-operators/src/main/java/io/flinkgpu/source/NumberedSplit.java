package io.flinkgpu.source;

import io.flinkgpu.api.Errors;

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

    /**
     * How ids are written, after the first marker of those that start with one and after the last one of the
     * others. What was written before there were versions has a number there, perhaps below zero.
     */
    private static final char VERSION = 'b';

    /** What a reader's checkpoint says of the splits it has received. */
    FileSourceSplit asMarker() {
        String id = MARKER + VERSION + subtask + MARKER + number;
        return new FileSourceSplit(id, new Path("/"), 0, 0, 0, 0);
    }

    /** What the enumerator's checkpoint says of a split that is on its way to a reader. */
    FileSourceSplit asAssigned() {
        return withId(
                split, MARKER + VERSION + subtask + MARKER + number + MARKER + split.splitId());
    }

    /** What goes to the reader, whose id sorts like the split's. */
    FileSourceSplit asSent() {
        return withId(split, split.splitId() + MARKER + VERSION + number);
    }

    static boolean isNumbered(FileSourceSplit split) {
        return split.splitId().startsWith(MARKER);
    }

    /**
     * Reads {@link #asMarker} and {@link #asAssigned}, of this version or of before.
     *
     * @throws IllegalStateException for another version
     */
    static NumberedSplit parse(FileSourceSplit split) {
        String[] parts = split.splitId().split(MARKER, 4);
        return new NumberedSplit(
                (int) number(parts[1], split),
                Long.parseLong(parts[2]),
                parts.length < 4 ? null : withId(split, parts[3]));
    }

    /**
     * The number of a split that was sent, by this version or one of before.
     *
     * @throws IllegalStateException for another version
     */
    static long numberOf(FileSourceSplit sent) {
        String id = sent.splitId();
        return number(id.substring(id.lastIndexOf(MARKER) + 1), sent);
    }

    /** A split that was sent, as the queue had it. */
    static FileSourceSplit unnumbered(FileSourceSplit sent) {
        String id = sent.splitId();
        return withId(sent, id.substring(0, id.lastIndexOf(MARKER)));
    }

    private static long number(String text, FileSourceSplit split) {
        char first = text.charAt(0);
        if (first == '-' || first >= '0' && first <= '9') {
            return Long.parseLong(text);
        }
        if (first != VERSION) {
            throw Errors.state(
                    "a split in a checkpoint is of a version that this release does not know:"
                            + " version='%s', known='%s' and those without a version, split='%s';"
                            + " restore it with the release that wrote it, or a later one",
                    first, VERSION, split.splitId());
        }
        return Long.parseLong(text.substring(1));
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
