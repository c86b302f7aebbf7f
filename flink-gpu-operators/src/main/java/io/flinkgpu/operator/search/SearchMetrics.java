package io.flinkgpu.operator.search;

import io.flinkgpu.operator.BatchMetrics;
import io.flinkgpu.operator.Waiting;

import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Histogram;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.runtime.metrics.DescriptiveStatisticsHistogram;

import java.util.ArrayDeque;

/** What a shard reports besides its batches. Written by the task thread; gauges are read by others. */
final class SearchMetrics {

    private static final int HISTOGRAM_BATCHES = 512;

    final Counter queries;
    final Counter changes;
    final Counter lateQueries;
    final Counter lateChanges;

    private final Histogram updateLagMillis = new DescriptiveStatisticsHistogram(HISTOGRAM_BATCHES);

    /** When the first change came of each batch of changes that was not applied yet. */
    private final ArrayDeque<Long> firstChanges = new ArrayDeque<>();

    private volatile long restoredDocuments;
    private volatile long rebuildMillis;
    private volatile int waitingQueries;
    private volatile int waitingChanges;
    private volatile long waitingBytes;

    SearchMetrics(MetricGroup operatorGroup) {
        MetricGroup group = BatchMetrics.group(operatorGroup);
        queries = group.counter("queries");
        changes = group.counter("changes");
        lateQueries = group.counter("lateQueries");
        lateChanges = group.counter("lateChanges");
        group.histogram("updateLagMillis", updateLagMillis);
        group.gauge("restoredDocuments", () -> restoredDocuments);
        group.gauge("rebuildMillis", () -> rebuildMillis);
        group.gauge("waitingQueries", () -> waitingQueries);
        group.gauge("waitingChanges", () -> waitingChanges);
        group.gauge("waitingBytes", () -> waitingBytes);
    }

    void rebuilt(long documents, long millis) {
        restoredDocuments = documents;
        rebuildMillis = millis;
    }

    void waiting(Waiting<?, ?> waiting) {
        waitingQueries = waiting.requests().size();
        waitingChanges = waiting.changes().size();
        waitingBytes = waiting.bytes();
    }

    /** The first change of a batch of changes came. */
    void batchOfChanges(long nowMillis) {
        firstChanges.add(nowMillis);
    }

    /** The oldest batch of changes was applied. */
    void applied(long nowMillis) {
        updateLagMillis.update(nowMillis - firstChanges.remove());
    }
}
