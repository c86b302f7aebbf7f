package io.flinkgpu.source;

import org.apache.flink.connector.file.src.FileSourceSplit;
import org.apache.flink.connector.file.src.assigners.FileSplitAssigner;

import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Cuts listed files into splits by size, and gives the splits out in the order of the listing. Local
 * file systems report one block a file however large it is, so blocks are of no use for it.
 *
 * <pre>
 *   file  |------------|------------|--------|-----|---|---|---|
 *          maxBytes     maxBytes     then a part of the rest, at least minBytes
 * </pre>
 *
 * Large splits cost little, and small ones at the end let readers end together: guided self-scheduling
 * (Polychronopoulos and Kuck, 1987).
 */
final class SplitQueue implements FileSplitAssigner {

    /** Splits of what is left for each reader, so that all end at about the same time. */
    private static final int PARTS_PER_READER = 4;

    /** Only in ids of splits that are cut already, such as those that come back after a failure. */
    private static final char CUT = '+';

    private final int readers;
    private final long minBytes;
    private final long maxBytes;
    private final boolean cutsFiles;
    private final TreeMap<String, FileSourceSplit> splits = new TreeMap<>();

    SplitQueue(Collection<FileSourceSplit> files, int readers, long minBytes, long maxBytes) {
        this(files, readers, minBytes, maxBytes, true);
    }

    /**
     * @param cutsFiles whether a file may become several splits
     */
    SplitQueue(
            Collection<FileSourceSplit> files,
            int readers,
            long minBytes,
            long maxBytes,
            boolean cutsFiles) {
        this.cutsFiles = cutsFiles;
        this.readers = readers;
        this.minBytes = minBytes;
        this.maxBytes = maxBytes;
        addSplits(files);
    }

    /** The id of a listed file, which sorts by when it was listed and then by its place there. */
    static String fileId(long listedMillis, int place) {
        return String.format("%014d-%09d", listedMillis, place);
    }

    @Override
    public Optional<FileSourceSplit> getNext(String hostname) {
        return Optional.ofNullable(splits.pollFirstEntry()).map(Map.Entry::getValue);
    }

    @Override
    public void addSplits(Collection<FileSourceSplit> newSplits) {
        long rest = 0;
        for (FileSourceSplit split : newSplits) {
            rest += isCut(split) ? 0 : split.length();
        }
        for (FileSourceSplit split : newSplits) {
            if (isCut(split)) {
                splits.put(split.splitId(), split);
            } else {
                cut(split, rest);
                rest -= split.length();
            }
        }
    }

    @Override
    public Collection<FileSourceSplit> remainingSplits() {
        return splits.values();
    }

    private void cut(FileSourceSplit file, long rest) {
        long end = file.offset() + file.length();
        boolean splittable = cutsFiles && !Compressions.isCompressed(file.path());
        long left = rest;
        long step;
        for (long offset = file.offset(); offset < end; offset += step) {
            long fair = left / ((long) PARTS_PER_READER * readers);
            step = splittable ? Math.max(minBytes, Math.min(maxBytes, fair)) : file.length();
            left -= step;
            // The path keeps an id unique should the clock have been set back between two listings.
            String id = String.format("%s%c%019d %s", file.splitId(), CUT, offset, file.path());
            splits.put(
                    id,
                    new FileSourceSplit(
                            id,
                            file.path(),
                            offset,
                            Math.min(step, end - offset),
                            file.fileModificationTime(),
                            file.fileSize()));
        }
    }

    private static boolean isCut(FileSourceSplit split) {
        return split.splitId().indexOf(CUT) >= 0;
    }
}
