package io.flinkgpu.operator;

import org.apache.flink.annotation.Internal;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Histogram;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.runtime.metrics.DescriptiveStatisticsHistogram;

import java.util.ArrayDeque;

/**
 * What an operator of requests and of changes of what is resident reports besides its batches. Written by the task
 * thread; gauges are read by others.
 */
@Internal
public final class ResidentMetrics {

    private static final int HISTOGRAM_BATCHES = 512;

    public final Counter requests;
    public final Counter changes;
    public final Counter lateRequests;
    public final Counter lateChanges;

    private final Histogram updateLagMillis = new DescriptiveStatisticsHistogram(HISTOGRAM_BATCHES);

    /** When the first change came of each batch of changes that was not applied yet. */
    private final ArrayDeque<Long> firstChanges = new ArrayDeque<>();

    private volatile long restored;
    private volatile long rebuildMillis;
    private volatile int waitingRequests;
    private volatile int waitingChanges;
    private volatile long waitingBytes;

    /**
     * @param requestName what requests are called, in the plural
     * @param restoredName what is made again when the operator opens
     */
    public ResidentMetrics(MetricGroup operatorGroup, String requestName, String restoredName) {
        MetricGroup group = BatchMetrics.group(operatorGroup);
        requests = group.counter(requestName);
        changes = group.counter("changes");
        lateRequests = group.counter(named("late", requestName));
        lateChanges = group.counter("lateChanges");
        group.histogram("updateLagMillis", updateLagMillis);
        group.gauge(named("restored", restoredName), () -> restored);
        group.gauge("rebuildMillis", () -> rebuildMillis);
        group.gauge(named("waiting", requestName), () -> waitingRequests);
        group.gauge("waitingChanges", () -> waitingChanges);
        group.gauge("waitingBytes", () -> waitingBytes);
    }

    private static String named(String prefix, String name) {
        return prefix + Character.toUpperCase(name.charAt(0)) + name.substring(1);
    }

    /** What was kept was made again of the state. */
    public void rebuilt(long count, long millis) {
        restored = count;
        rebuildMillis = millis;
    }

    /** Something began to wait, or waits no longer. */
    public void waiting(Waiting<?, ?> waiting) {
        waitingRequests = waiting.requests().size();
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
