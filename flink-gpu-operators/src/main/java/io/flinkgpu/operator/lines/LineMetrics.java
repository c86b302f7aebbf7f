package io.flinkgpu.operator.lines;

import io.flinkgpu.operator.BatchMetrics;

import org.apache.flink.api.common.accumulators.LongCounter;
import org.apache.flink.api.common.functions.RuntimeContext;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;

/**
 * What became of lines: metrics for those who watch the job, and Flink accumulators, {@code lines.*},
 * for those who wait for its end. Accumulators count since the job last started or recovered. Task
 * thread only.
 */
final class LineMetrics {

    private final Counter lines;
    private final Counter rawLines;
    private final Counter malformedLines;
    private final Counter partials;
    private final LongCounter totalLines;
    private final LongCounter totalRaw;
    private final LongCounter totalMalformed;
    private final LongCounter totalPartials;
    private final LongCounter bytes;
    private final LongCounter batches;
    private final LongCounter openNanos;
    private final LongCounter readNanos;
    private final LongCounter copyNanos;
    private final LongCounter parseNanos;
    private final LongCounter mergeNanos;

    LineMetrics(MetricGroup operatorGroup, RuntimeContext context) {
        MetricGroup group = BatchMetrics.group(operatorGroup);
        lines = group.counter("lines");
        rawLines = group.counter("rawLines");
        malformedLines = group.counter("malformedLines");
        partials = group.counter("partials");
        totalLines = context.getLongCounter("lines.lines");
        totalRaw = context.getLongCounter("lines.raw");
        totalMalformed = context.getLongCounter("lines.malformed");
        totalPartials = context.getLongCounter("lines.partials");
        bytes = context.getLongCounter("lines.bytes");
        batches = context.getLongCounter("lines.batches");
        openNanos = context.getLongCounter("lines.openNanos");
        readNanos = context.getLongCounter("lines.readNanos");
        copyNanos = context.getLongCounter("lines.copyNanos");
        parseNanos = context.getLongCounter("lines.parseNanos");
        mergeNanos = context.getLongCounter("lines.mergeNanos");
    }

    /** Counts lines that were read, malformed ones included. */
    void lines(long number) {
        lines.inc(number);
        totalLines.add(number);
    }

    /** Counts a line that was sent as a row. */
    void raw() {
        rawLines.inc();
        totalRaw.add(1L);
    }

    void malformed() {
        malformedLines.inc();
        totalMalformed.add(1L);
    }

    /** Counts a partial that was sent. */
    void partial() {
        partials.inc();
        totalPartials.add(1L);
    }

    /** Counts the time that the backend took to open. */
    void opened(long nanos) {
        openNanos.add(nanos);
    }

    /** Counts bytes that were put into a batch, and the time it took. */
    void read(long moreBytes, long nanos) {
        bytes.add(moreBytes);
        readNanos.add(nanos);
    }

    /** Counts a batch whose result is there. */
    void batch() {
        batches.add(1L);
    }

    /** Counts the time that the device took to copy a batch. */
    void copied(long nanos) {
        copyNanos.add(nanos);
    }

    /** Counts the time a backend parsed and aggregated, or the host parsed. */
    void parsed(long nanos) {
        parseNanos.add(nanos);
    }

    /** Counts the time of merging and sending. */
    void merged(long nanos) {
        mergeNanos.add(nanos);
    }
}
