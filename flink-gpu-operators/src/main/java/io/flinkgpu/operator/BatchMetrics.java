package io.flinkgpu.operator;

import io.flinkgpu.backend.Backend;

import org.apache.flink.annotation.Internal;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Histogram;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.runtime.metrics.DescriptiveStatisticsHistogram;

import org.apache.arrow.memory.BufferAllocator;

import java.util.EnumMap;
import java.util.Map;

/**
 * What a batching operator reports, in the group {@code gpu}. Written by the task thread; gauges are
 * read by others.
 */
@Internal
public final class BatchMetrics {

    private static final int HISTOGRAM_BATCHES = 512;
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final Map<FlushReason, Counter> flushes = new EnumMap<>(FlushReason.class);
    private final Histogram batchRows;
    private final Histogram batchBytes;
    private final Counter bytesIn;
    private volatile int inFlight;

    /**
     * @param operatorGroup of the operator
     * @param backend what runs the batches
     */
    public BatchMetrics(MetricGroup operatorGroup, Backend backend) {
        MetricGroup group = group(operatorGroup);
        for (FlushReason reason : FlushReason.values()) {
            Counter counter = group.addGroup("flushReason", reason.name()).counter("flushes");
            flushes.put(reason, counter);
        }
        batchRows = group.histogram("batchRows", newHistogram());
        batchBytes = group.histogram("batchBytes", newHistogram());
        bytesIn = group.counter("bytesIn");
        int kind = backend.placement().isGpu() ? 1 : 0;
        String name = backend.placement().toString();
        BufferAllocator allocator = backend.allocator();
        group.gauge("backend", () -> kind);
        group.gauge("backendName", () -> name);
        group.gauge("allocatedBytes", allocator::getAllocatedMemory);
        group.gauge("inFlightBatches", () -> inFlight);
        group.gauge("linkMillis", () -> backend.linkNanos() / NANOS_PER_MILLI);
    }

    /** The group that all metrics of these operators are in. */
    public static MetricGroup group(MetricGroup operatorGroup) {
        return operatorGroup.addGroup("gpu");
    }

    /** Counts a batch that was sent, and notes how many are in flight; {@link #rows} counts its rows. */
    public void flushed(FlushReason reason, int bytes, int nowInFlight) {
        flushes.get(reason).inc();
        batchBytes.update(bytes);
        bytesIn.inc(bytes);
        inFlight = nowInFlight;
    }

    /** Counts the rows of a batch. */
    public void rows(int rows) {
        batchRows.update(rows);
    }

    /** Tells how many batches are on their way. */
    public void inFlight(int nowInFlight) {
        inFlight = nowInFlight;
    }

    private static Histogram newHistogram() {
        return new DescriptiveStatisticsHistogram(HISTOGRAM_BATCHES);
    }
}
