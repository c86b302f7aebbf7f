package io.flinkgpu.source;

import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.SourceEvent;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.connector.file.src.FileSourceSplit;
import org.apache.flink.core.io.InputStatus;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Reads the splits that a restored reader has in the order of their ids, as they were read at first;
 * Flink's own order is that of a hash map.
 */
@SuppressWarnings("try") // SourceReader.close() throws any exception, an interrupt's included.
record OrderedReader<T>(SourceReader<T, FileSourceSplit> reader)
        implements SourceReader<T, FileSourceSplit> {

    @Override
    public void addSplits(List<FileSourceSplit> splits) {
        reader.addSplits(
                splits.stream().sorted(Comparator.comparing(FileSourceSplit::splitId)).toList());
    }

    @Override
    public void start() {
        reader.start();
    }

    @Override
    public InputStatus pollNext(ReaderOutput<T> output) throws Exception {
        return reader.pollNext(output);
    }

    @Override
    public List<FileSourceSplit> snapshotState(long checkpointId) {
        return reader.snapshotState(checkpointId);
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
