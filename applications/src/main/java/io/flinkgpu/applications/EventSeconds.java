package io.flinkgpu.applications;

import org.apache.flink.api.common.eventtime.Watermark;
import org.apache.flink.api.common.eventtime.WatermarkGenerator;
import org.apache.flink.api.common.eventtime.WatermarkOutput;

/**
 * Emits another generator's watermark with each new second of event time. Flink asks for it each 200 ms
 * of the clock, and which records are late would depend on the machine's speed.
 */
final class EventSeconds<T> implements WatermarkGenerator<T> {

    private final WatermarkGenerator<T> generator;
    private long second = Long.MIN_VALUE;

    EventSeconds(WatermarkGenerator<T> generator) {
        this.generator = generator;
    }

    @Override
    public void onEvent(T event, long timestamp, WatermarkOutput output) {
        generator.onEvent(event, timestamp, output);
        long now = Math.floorDiv(timestamp, 1_000L);
        if (now > second) {
            second = now;
            generator.onPeriodicEmit(output);
        }
    }

    /** Does nothing: a {@link Watermark} has been emitted when its time came. */
    @Override
    public void onPeriodicEmit(WatermarkOutput output) {}
}
