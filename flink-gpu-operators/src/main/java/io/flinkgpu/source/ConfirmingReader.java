package io.flinkgpu.source;

import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.SourceEvent;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.connector.file.src.FileSourceSplit;
import org.apache.flink.core.io.InputStatus;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * Flink's reader of files, which also reports to {@link ConfirmingEnumerator} which splits have reached it,
 * when they do and, after a restart, as its checkpoint says. It reads splits that it is restored with in
 * the order of their ids, as they were read at first; Flink's own order is that of a hash map.
 */
@SuppressWarnings("try") // SourceReader.close() throws any exception, an interrupt's included.
final class ConfirmingReader<T> implements SourceReader<T, FileSourceSplit> {

    private final SourceReader<T, FileSourceSplit> reader;
    private final SourceReaderContext context;

    /** Of this subtask, and of those whose checkpoint came here when the parallelism changed. */
    private final Map<Integer, Long> lastNumbers = new HashMap<>();

    /** A set: several readers may have had the same word of a subtask before the parallelism changed. */
    private final Set<String> markerIds = new HashSet<>();

    private boolean started;

    ConfirmingReader(SourceReader<T, FileSourceSplit> reader, SourceReaderContext context) {
        this.reader = reader;
        this.context = context;
    }

    @Override
    public void addSplits(List<FileSourceSplit> splits) {
        List<FileSourceSplit> real = new ArrayList<>();
        for (FileSourceSplit split : splits) {
            if (!NumberedSplit.isNumbered(split)) {
                // One of a version that is not known is refused before it is read.
                NumberedSplit.numberOf(split);
                real.add(split);
                continue;
            }
            NumberedSplit marker = NumberedSplit.parse(split);
            lastNumbers.merge(marker.subtask(), marker.number(), Math::max);
            markerIds.add(split.splitId());
        }
        if (started) {
            real.forEach(this::confirm);
        }
        real.sort(Comparator.comparing(FileSourceSplit::splitId));
        reader.addSplits(real);
    }

    private void confirm(FileSourceSplit split) {
        int subtask = context.getIndexOfSubtask();
        long number = NumberedSplit.numberOf(split);
        lastNumbers.merge(subtask, number, Math::max);
        send(new SplitsReceived(false, Map.of(subtask, number)));
    }

    @Override
    public void start() {
        send(new SplitsReceived(true, Map.copyOf(lastNumbers)));
        lastNumbers.putIfAbsent(context.getIndexOfSubtask(), 0L);
        started = true;
        reader.start();
    }

    private void send(SplitsReceived event) {
        context.sendSourceEventToCoordinator(event);
    }

    @Override
    public InputStatus pollNext(ReaderOutput<T> output) throws Exception {
        if (!markerIds.isEmpty()) {
            // Flink has made an output for each, whose watermark would never rise.
            markerIds.forEach(output::releaseOutputForSplit);
            markerIds.clear();
        }
        return reader.pollNext(output);
    }

    @Override
    public List<FileSourceSplit> snapshotState(long checkpointId) {
        List<FileSourceSplit> splits = new ArrayList<>(reader.snapshotState(checkpointId));
        lastNumbers.forEach(
                (subtask, number) ->
                        splits.add(new NumberedSplit(subtask, number, null).asMarker()));
        return splits;
    }

    @Override
    public CompletableFuture<Void> isAvailable() {
        return reader.isAvailable();
    }

    @Override
    public void notifyNoMoreSplits() {
        reader.notifyNoMoreSplits();
    }

    @Override
    public void handleSourceEvents(SourceEvent event) {
        reader.handleSourceEvents(event);
    }

    @Override
    public void notifyCheckpointComplete(long checkpointId) throws Exception {
        reader.notifyCheckpointComplete(checkpointId);
    }

    @Override
    public void notifyCheckpointAborted(long checkpointId) throws Exception {
        reader.notifyCheckpointAborted(checkpointId);
    }

    @Override
    public void pauseOrResumeSplits(
            Collection<String> splitsToPause, Collection<String> splitsToResume) {
        reader.pauseOrResumeSplits(splitsToPause, splitsToResume);
    }

    @Override
    public void close() throws Exception {
        reader.close();
    }
}
