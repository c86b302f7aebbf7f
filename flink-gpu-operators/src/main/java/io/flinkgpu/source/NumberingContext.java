package io.flinkgpu.source;

import org.apache.flink.api.connector.source.ReaderInfo;
import org.apache.flink.api.connector.source.SourceEvent;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.api.connector.source.SplitsAssignment;
import org.apache.flink.connector.file.src.FileSourceSplit;
import org.apache.flink.metrics.groups.SplitEnumeratorMetricGroup;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.BiConsumer;

/**
 * Numbers the splits that Flink's enumerator assigns, and sends those together that answer one request.
 *
 * <p>A reader asks when it has none, and once for each answer, as those of Flink do: it gets either splits or
 * word that there are no more. If that word came before it has read its last split, it would ask again and end
 * at once; and if that request was answered with a split that a failed reader left, nobody would read it.
 */
final class NumberingContext implements SplitEnumeratorContext<FileSourceSplit> {

    private final SplitEnumeratorContext<FileSourceSplit> context;
    private final AssignedSplits assigned;
    private final Map<Integer, List<FileSourceSplit>> held = new HashMap<>();
    private boolean isHolding;

    NumberingContext(SplitEnumeratorContext<FileSourceSplit> context, AssignedSplits assigned) {
        this.context = context;
        this.assigned = assigned;
    }

    /** Keeps what is assigned from here on. */
    void hold() {
        isHolding = true;
    }

    /** What was kept for a reader. */
    List<FileSourceSplit> held(int subtask) {
        return held.getOrDefault(subtask, List.of());
    }

    /** Sends what was kept, to each reader at once. */
    void send() {
        isHolding = false;
        if (!held.isEmpty()) {
            context.assignSplits(new SplitsAssignment<>(Map.copyOf(held)));
            held.clear();
        }
    }

    @Override
    public void assignSplits(SplitsAssignment<FileSourceSplit> splits) {
        splits.assignment()
                .forEach(
                        (subtask, list) ->
                                list.forEach(
                                        split ->
                                                held.computeIfAbsent(
                                                                subtask, it -> new ArrayList<>())
                                                        .add(assigned.assign(split, subtask))));
        if (!isHolding) {
            send();
        }
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
        if (!held.containsKey(subtask)) {
            context.signalNoMoreSplits(subtask);
        }
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
