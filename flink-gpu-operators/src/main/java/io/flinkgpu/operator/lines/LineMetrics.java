package io.flinkgpu.operator.lines;

import io.flinkgpu.api.Lines;
import io.flinkgpu.backend.plan.LineGroups;
import io.flinkgpu.operator.BatchMetrics;

import org.apache.flink.api.common.accumulators.LongCounter;
import org.apache.flink.api.common.functions.RuntimeContext;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;

import java.io.IOException;

/**
 * What became of lines: metrics for those who watch the job, and Flink accumulators, {@code lines.*},
 * for those who wait for its end. Accumulators count since the job last started or recovered. Task
 * thread only.
 */
final class LineMetrics {

    /** Lines that were read, malformed ones included. */
    final Total lines;

    /** Lines that were sent as records. */
    final Total raw;

    /** Lines that were sent in blocks, without being grouped. */
    final Total ungrouped;

    final Total malformed;

    /** Groups that were sent. */
    final Total partials;

    /** Bytes that were put into batches, and the time it took. */
    final LongCounter bytes;

    final LongCounter readNanos;

    /** Batches whose results are there. */
    final LongCounter batches;

    /** The time that the backend took to open. */
    final LongCounter openNanos;

    /** The time that the first batch of each subtask was on its way: its memory is made ready meanwhile. */
    final LongCounter firstNanos;

    /** The time that the device took to copy batches. */
    final LongCounter copyNanos;

    /** The time a backend parsed and aggregated, or the host parsed. */
    final LongCounter parseNanos;

    /** The time of merging and sending. */
    final LongCounter mergeNanos;

    /** 0 before it was. */
    private long firstSentNanos;

    private boolean isFirstDone;

    LineMetrics(MetricGroup operatorGroup, RuntimeContext context) {
        MetricGroup group = BatchMetrics.group(operatorGroup);
        lines = new Total(group.counter("lines"), context.getLongCounter("lines.lines"));
        raw = new Total(group.counter("rawLines"), context.getLongCounter("lines.raw"));
        ungrouped =
                new Total(
                        group.counter("ungroupedLines"), context.getLongCounter("lines.ungrouped"));
        malformed =
                new Total(
                        group.counter("malformedLines"), context.getLongCounter("lines.malformed"));
        partials = new Total(group.counter("partials"), context.getLongCounter("lines.partials"));
        bytes = context.getLongCounter("lines.bytes");
        batches = context.getLongCounter("lines.batches");
        openNanos = context.getLongCounter("lines.openNanos");
        firstNanos = context.getLongCounter("lines.firstNanos");
        readNanos = context.getLongCounter("lines.readNanos");
        copyNanos = context.getLongCounter("lines.copyNanos");
        parseNanos = context.getLongCounter("lines.parseNanos");
        mergeNanos = context.getLongCounter("lines.mergeNanos");
    }

    /** A batch is sent on its way. */
    void batchSent() {
        firstSentNanos = firstSentNanos == 0 ? System.nanoTime() : firstSentNanos;
    }

    /** The results of a batch are there. */
    void batchDone() {
        if (firstSentNanos != 0 && !isFirstDone) {
            isFirstDone = true;
            firstNanos.add(System.nanoTime() - firstSentNanos);
        }
        batches.add(1L);
    }

    /**
     * Puts a chunk or a range into a batch.
     *
     * @return whether there was room for it
     */
    boolean append(LineBatchBuilder builder, Lines next) throws IOException {
        long started = System.nanoTime();
        int before = builder.bytes();
        if (!builder.append(next)) {
            return false;
        }
        bytes.add(builder.bytes() - before);
        readNanos.add(System.nanoTime() - started);
        return true;
    }

    /**
     * What became of some lines of a batch is merged.
     *
     * @param startedNanos when that began
     */
    void merged(LineGroups result, long startedNanos) {
        lines.add(result.lines());
        copyNanos.add(result.copyNanos());
        parseNanos.add(result.deviceNanos());
        mergeNanos.add(System.nanoTime() - startedNanos);
    }

    /** A metric and an accumulator of the same. */
    record Total(Counter metric, LongCounter accumulator) {

        void add(long more) {
            metric.inc(more);
            accumulator.add(more);
        }
    }
}
