package io.flinkgpu.source;

import org.apache.flink.api.connector.source.SourceEvent;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.api.connector.source.SupportsBatchSnapshot;
import org.apache.flink.api.connector.source.SupportsHandleExecutionAttemptSourceEvent;
import org.apache.flink.connector.file.src.FileSourceSplit;
import org.apache.flink.connector.file.src.PendingSplitsCheckpoint;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Flink's enumerator of files, which also sees to it that no split is lost on its way to a reader.
 *
 * <pre>
 *   enumerator   assigns 7 | checkpoint              checkpoint: 7 assigned, no word of it
 *   reader                 | checkpoint, gets 7      checkpoint: last received 6, so 7 is lost
 * </pre>
 *
 * With unaligned checkpoints Flink 2.3 puts the trigger of a checkpoint in front of the other mails of a
 * source's task, a split for its reader among them. Then neither checkpoint has the split. So assigned
 * splits are numbered, readers confirm them and keep the last number in their checkpoints; what a
 * restored reader does not know of is assigned again.
 *
 * <p>After a restart of the whole source no reader gets a split before all have said what they know.
 */
final class ConfirmingEnumerator
        implements SplitEnumerator<FileSourceSplit, PendingSplitsCheckpoint<FileSourceSplit>>,
                SupportsBatchSnapshot,
                SupportsHandleExecutionAttemptSourceEvent {

    /** Makes Flink's own enumerator. */
    @FunctionalInterface
    interface Factory {
        SplitEnumerator<FileSourceSplit, PendingSplitsCheckpoint<FileSourceSplit>> create(
                SplitEnumeratorContext<FileSourceSplit> context,
                PendingSplitsCheckpoint<FileSourceSplit> checkpoint);
    }

    /** A reader is given no more splits at a time, however small. */
    private static final int MOST_SPLITS = 64;

    private final SplitEnumeratorContext<FileSourceSplit> context;
    private final long enoughBytes;
    private final SplitEnumerator<FileSourceSplit, PendingSplitsCheckpoint<FileSourceSplit>>
            enumerator;
    private final AssignedSplits assigned = new AssignedSplits();
    private final NumberingContext numbering;
    private final Map<Integer, Long> restoredNumbers = new HashMap<>();
    private final Set<Integer> restoredReaders = new HashSet<>();
    private final Map<Integer, String> waiting = new LinkedHashMap<>();
    private boolean restoring;

    /**
     * @param checkpoint null to begin
     * @param enoughBytes splits are given to a reader at a time until they have this many bytes
     */
    ConfirmingEnumerator(
            SplitEnumeratorContext<FileSourceSplit> context,
            PendingSplitsCheckpoint<FileSourceSplit> checkpoint,
            long enoughBytes,
            Factory factory) {
        this.context = context;
        this.enoughBytes = enoughBytes;
        PendingSplitsCheckpoint<FileSourceSplit> rest =
                checkpoint == null
                        ? null
                        : PendingSplitsCheckpoint.fromCollectionSnapshot(
                                assigned.restore(checkpoint.getSplits()),
                                checkpoint.getAlreadyProcessedPaths());
        this.numbering = new NumberingContext(context, assigned);
        this.enumerator = factory.create(numbering, rest);
        this.restoring = !assigned.isEmpty();
    }

    @Override
    public void start() {
        enumerator.start();
    }

    @Override
    public void addReader(int subtask) {
        enumerator.addReader(subtask);
    }

    @Override
    public void handleSplitRequest(int subtask, String hostname) {
        if (restoring) {
            waiting.put(subtask, hostname);
        } else {
            assign(subtask, hostname);
        }
    }

    /** Asking takes a while, so that a reader of small files is given several. */
    private void assign(int subtask, String hostname) {
        numbering.hold();
        int before;
        do {
            before = numbering.held(subtask).size();
            enumerator.handleSplitRequest(subtask, hostname);
        } while (numbering.held(subtask).size() > before && isTooLittle(numbering.held(subtask)));
        numbering.send();
    }

    private boolean isTooLittle(List<FileSourceSplit> splits) {
        long bytes = 0;
        for (FileSourceSplit split : splits) {
            if (Compressions.isCompressed(split.path())) {
                // Nobody knows how many bytes it has.
                return false;
            }
            bytes += split.length();
        }
        return bytes < enoughBytes && splits.size() < MOST_SPLITS;
    }

    @Override
    public void addSplitsBack(List<FileSourceSplit> splits, int subtask) {
        waiting.remove(subtask);
        enumerator.addSplitsBack(assigned.takeBack(subtask, splits), subtask);
    }

    @Override
    public void handleSourceEvent(int subtask, SourceEvent event) {
        if (!(event instanceof SplitsReceived received)) {
            enumerator.handleSourceEvent(subtask, event);
        } else if (!received.isStart()) {
            assigned.received(subtask, received.lastNumbers().get(subtask));
        } else if (restoring) {
            received.lastNumbers()
                    .forEach((reader, number) -> restoredNumbers.merge(reader, number, Math::max));
            restoredReaders.add(subtask);
            if (restoredReaders.size() == context.currentParallelism()) {
                restored();
            }
        } else if (received.lastNumbers().containsKey(subtask)) {
            giveBack(assigned.takeLost(subtask, received.lastNumbers().get(subtask)), subtask);
        }
    }

    @Override
    public void handleSourceEvent(int subtask, int attempt, SourceEvent event) {
        handleSourceEvent(subtask, event);
    }

    private void restored() {
        restoring = false;
        giveBack(assigned.takeAllLost(restoredNumbers), 0);
        Map<Integer, String> requests = new LinkedHashMap<>(waiting);
        waiting.clear();
        requests.forEach(this::assign);
    }

    private void giveBack(List<FileSourceSplit> lost, int subtask) {
        if (!lost.isEmpty()) {
            enumerator.addSplitsBack(lost, subtask);
        }
    }

    @Override
    public PendingSplitsCheckpoint<FileSourceSplit> snapshotState(long checkpointId)
            throws Exception {
        PendingSplitsCheckpoint<FileSourceSplit> pending = enumerator.snapshotState(checkpointId);
        List<FileSourceSplit> splits = new ArrayList<>(pending.getSplits());
        // Without checkpoints, as in batch jobs, Flink itself keeps which splits a reader was sent.
        if (checkpointId >= 0) {
            splits.addAll(assigned.snapshot(checkpointId));
        }
        return PendingSplitsCheckpoint.fromCollectionSnapshot(
                splits, pending.getAlreadyProcessedPaths());
    }

    @Override
    public void notifyCheckpointComplete(long checkpointId) throws Exception {
        assigned.completed(checkpointId);
        enumerator.notifyCheckpointComplete(checkpointId);
    }

    @Override
    public void notifyCheckpointAborted(long checkpointId) throws Exception {
        enumerator.notifyCheckpointAborted(checkpointId);
    }

    @Override
    public void close() throws IOException {
        enumerator.close();
    }
}
