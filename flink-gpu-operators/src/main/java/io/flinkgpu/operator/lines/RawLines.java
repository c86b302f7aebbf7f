package io.flinkgpu.operator.lines;

import io.flinkgpu.operator.window.WindowInput;

import org.apache.flink.streaming.api.operators.Output;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.types.Row;

/** Sends lines to their windows as rows. Task thread only. */
final class RawLines {

    private final boolean hasTime;
    private final HostLines host;
    private final LineClock clock;
    private final LineMetrics metrics;
    private final Output<StreamRecord<WindowInput<String, Row>>> output;
    private final StreamRecord<WindowInput<String, Row>> reused = new StreamRecord<>(null);

    /**
     * @param hasTime whether lines have one
     * @param host has the last line
     */
    RawLines(
            boolean hasTime,
            HostLines host,
            LineClock clock,
            LineMetrics metrics,
            Output<StreamRecord<WindowInput<String, Row>>> output) {
        this.hasTime = hasTime;
        this.host = host;
        this.clock = clock;
        this.metrics = metrics;
        this.output = output;
    }

    /** Sends the last line that was read. */
    void send() {
        reused.replace(WindowInput.raw(host.row()));
        if (hasTime) {
            clock.saw(host.timestamp());
            reused.setTimestamp(host.timestamp());
        } else {
            reused.eraseTimestamp();
        }
        output.collect(reused);
        metrics.raw.add(1);
    }
}
