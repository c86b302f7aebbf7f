package io.flinkgpu.source;

import org.apache.flink.connector.file.src.FileSourceSplit;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Splits that were assigned to readers and may be in nobody's checkpoint. The reader's word is needed: a
 * split is kept until a checkpoint is complete that began after the reader had it.
 */
final class AssignedSplits {

    /** The subtask of the entry that keeps the numbers rising across restarts. */
    private static final int NOBODY = -1;

    private static final long NOT_RECEIVED = Long.MAX_VALUE;

    private final TreeMap<Long, NumberedSplit> byNumber = new TreeMap<>();

    /** The first checkpoint that began after a split was received; missing before that. */
    private final Map<Long, Long> coveredBy = new HashMap<>();

    /** The last number that a reader has confirmed since it started. */
    private final Map<Integer, Long> confirmed = new HashMap<>();

    /** The number of the split that was assigned last, to anyone, when a reader failed. */
    private final Map<Integer, Long> failedAt = new HashMap<>();

    private long lastNumber;
    private long nextCheckpoint;

    /** Numbers a split on its way to a reader. */
    FileSourceSplit assign(FileSourceSplit split, int subtask) {
        NumberedSplit numbered = new NumberedSplit(subtask, ++lastNumber, split);
        byNumber.put(lastNumber, numbered);
        return numbered.asSent();
    }

    /**
     * A reader failed. Its word does not count any more.
     *
     * @param sent splits that it was sent since the checkpoint it goes back to
     * @return these, as they were before they were numbered
     */
    List<FileSourceSplit> takeBack(int subtask, Collection<FileSourceSplit> sent) {
        confirmed.remove(subtask);
        failedAt.put(subtask, lastNumber);
        for (NumberedSplit split : byNumber.values()) {
            if (split.subtask() == subtask) {
                coveredBy.remove(split.number());
            }
        }
        List<FileSourceSplit> splits = new ArrayList<>();
        for (FileSourceSplit split : sent) {
            forget(NumberedSplit.numberOf(split));
            splits.add(NumberedSplit.unnumbered(split));
        }
        return splits;
    }

    /** A reader that runs has received all splits up to this one. */
    void received(int subtask, long number) {
        // Only those that it has not confirmed before: a job may have very many.
        long before = confirmed.getOrDefault(subtask, 0L);
        if (number <= before) {
            return;
        }
        for (NumberedSplit split : byNumber.subMap(before, false, number, true).values()) {
            if (split.subtask() == subtask) {
                coveredBy.putIfAbsent(split.number(), nextCheckpoint);
            }
        }
        confirmed.put(subtask, number);
    }

    /** Takes out the splits of a reader that its checkpoint does not know of. */
    List<FileSourceSplit> takeLost(int subtask, long lastReceived) {
        received(subtask, lastReceived);
        // What was assigned later is on its way to the reader that started in place of the failed
        // one.
        long lastSent = failedAt.getOrDefault(subtask, lastNumber);
        List<FileSourceSplit> lost = new ArrayList<>();
        for (NumberedSplit split : List.copyOf(byNumber.tailMap(lastReceived, false).values())) {
            if (split.subtask() == subtask && split.number() <= lastSent) {
                lost.add(split.split());
                forget(split.number());
            }
        }
        return lost;
    }

    /** Takes out the splits of all readers that their checkpoints do not know of; knows no more then. */
    List<FileSourceSplit> takeAllLost(Map<Integer, Long> lastReceived) {
        List<FileSourceSplit> lost = new ArrayList<>();
        // A subtask without a word had ended: everything it was sent, it has read.
        lastReceived.forEach((subtask, number) -> lost.addAll(takeLost(subtask, number)));
        byNumber.clear();
        coveredBy.clear();
        confirmed.clear();
        return lost;
    }

    boolean isEmpty() {
        return byNumber.isEmpty();
    }

    /** What a checkpoint must have of it: splits that the readers' parts of it may lack. */
    List<FileSourceSplit> snapshot(long checkpointId) {
        nextCheckpoint = checkpointId + 1;
        List<FileSourceSplit> splits = new ArrayList<>();
        splits.add(new NumberedSplit(NOBODY, lastNumber, null).asMarker());
        for (NumberedSplit split : byNumber.values()) {
            // A reader that ends before the checkpoint leaves no word, and an old one of another
            // reader, from before the parallelism changed, must not make its splits lost ones.
            if (!isCovered(split.number(), checkpointId)) {
                splits.add(split.asAssigned());
            }
        }
        return splits;
    }

    /** Takes its part out of the splits of a checkpoint, and returns the others. */
    List<FileSourceSplit> restore(Collection<FileSourceSplit> splits) {
        List<FileSourceSplit> others = new ArrayList<>();
        for (FileSourceSplit split : splits) {
            if (!NumberedSplit.isNumbered(split)) {
                others.add(split);
                continue;
            }
            NumberedSplit numbered = NumberedSplit.parse(split);
            lastNumber = Math.max(lastNumber, numbered.number());
            if (numbered.subtask() != NOBODY) {
                byNumber.put(numbered.number(), numbered);
            }
        }
        return others;
    }

    void completed(long checkpointId) {
        for (Iterator<Long> numbers = byNumber.keySet().iterator(); numbers.hasNext(); ) {
            long number = numbers.next();
            if (isCovered(number, checkpointId)) {
                numbers.remove();
                coveredBy.remove(number);
            }
        }
    }

    private boolean isCovered(long number, long checkpointId) {
        return coveredBy.getOrDefault(number, NOT_RECEIVED) <= checkpointId;
    }

    private void forget(long number) {
        byNumber.remove(number);
        coveredBy.remove(number);
    }
}
