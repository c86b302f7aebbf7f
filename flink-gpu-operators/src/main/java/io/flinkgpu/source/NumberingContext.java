package io.flinkgpu.source;

import org.apache.flink.api.connector.source.ReaderInfo;
import org.apache.flink.api.connector.source.SourceEvent;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.api.connector.source.SplitsAssignment;
import org.apache.flink.connector.file.src.FileSourceSplit;
import org.apache.flink.metrics.groups.SplitEnumeratorMetricGroup;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.BiConsumer;

/** Numbers the splits that Flink's enumerator assigns. */
record NumberingContext(SplitEnumeratorContext<FileSourceSplit> context, AssignedSplits assigned)
        implements SplitEnumeratorContext<FileSourceSplit> {

    @Override
    public void assignSplits(SplitsAssignment<FileSourceSplit> splits) {
        Map<Integer, List<FileSourceSplit>> numbered = new HashMap<>();
        splits.assignment()
                .forEach(
                        (subtask, list) ->
                                numbered.put(
                                        subtask,
                                        list.stream()
                                                .map(split -> assigned.assign(split, subtask))
                                                .toList()));
        context.assignSplits(new SplitsAssignment<>(numbered));
    }

    @Override
    public SplitEnumeratorMetricGroup metricGroup() {
        return context.metricGroup();
    }

    @Override
    public void sendEventToSourceReader(int subtask, SourceEvent event) {
        context.sendEventToSourceReader(subtask, event);
    }

    @Override
    public void sendEventToSourceReader(int subtask, int attempt, SourceEvent event) {
        context.sendEventToSourceReader(subtask, attempt, event);
    }

    @Override
    public int currentParallelism() {
        return context.currentParallelism();
    }

    @Override
    public Map<Integer, ReaderInfo> registeredReaders() {
        return context.registeredReaders();
    }

    @Override
    public Map<Integer, Map<Integer, ReaderInfo>> registeredReadersOfAttempts() {
        return context.registeredReadersOfAttempts();
    }

    @Override
    public void signalNoMoreSplits(int subtask) {
        context.signalNoMoreSplits(subtask);
    }

    @Override
    public <T> void callAsync(Callable<T> callable, BiConsumer<T, Throwable> handler) {
        context.callAsync(callable, handler);
    }

    @Override
    public <T> void callAsync(
            Callable<T> callable,
            BiConsumer<T, Throwable> handler,
            long initialDelayMillis,
            long periodMillis) {
        context.callAsync(callable, handler, initialDelayMillis, periodMillis);
    }

    @Override
    public void runInCoordinatorThread(Runnable runnable) {
        context.runInCoordinatorThread(runnable);
    }

    @Override
    public void setIsProcessingBacklog(boolean isProcessingBacklog) {
        context.setIsProcessingBacklog(isProcessingBacklog);
    }
}
