package io.flinkgpu.operator.lines;

import io.flinkgpu.backend.plan.GroupedBatch;
import io.flinkgpu.backend.plan.LineGroups;
import io.flinkgpu.column.TextView;
import io.flinkgpu.groups.KeyBytes;
import io.flinkgpu.groups.KeyCodec;
import io.flinkgpu.groups.PartialSource;
import io.flinkgpu.operator.window.BlockOutput;
import io.flinkgpu.operator.window.WindowInput;
import io.flinkgpu.operator.window.WindowShape;
import io.flinkgpu.state.Partial;

import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.streaming.api.operators.Output;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.types.Row;

import java.util.List;

/**
 * Merges the results of batches and sends them: groups as partials, once the watermark reaches them or
 * something else wants them gone; lines that are in no group, or in one that is late, as rows. Task
 * thread only.
 */
final class LineOutput {

    private final LineAggregateSpec spec;
    private final WindowShape shape;
    private final PartialBuffer held;
    private final HostLines host;
    private final LineMetrics metrics;
    private final Output<StreamRecord<WindowInput<String, Row>>> output;
    private final OwnWatermarks marks;
    private final LineClock clock;
    private final BlockOutput<String, Row> blocks;
    private final KeyCodec<String> codec = KeyCodec.of(StringSerializer.INSTANCE);
    private final KeyBytes keyBytes = new KeyBytes();
    private final PartialSource source;
    private final StreamRecord<WindowInput<String, Row>> reused = new StreamRecord<>(null);
    private boolean wasIdle;
    private long lastSlice;
    private long lastThreshold = Long.MIN_VALUE;

    /**
     * @param marks where watermarks go; called for lines with times only
     * @param blocks that send groups to {@code output}
     */
    LineOutput(
            LineAggregateSpec spec,
            Output<StreamRecord<WindowInput<String, Row>>> output,
            LineMetrics metrics,
            OwnWatermarks marks,
            BlockOutput<String, Row> blocks) {
        LineReading reading = spec.reading();
        this.spec = spec;
        this.shape = spec.shape();
        this.held =
                new PartialBuffer(
                        spec.plan().values(), spec.maxHeldGroups(), spec.maxHeldKeyBytes());
        this.host = new HostLines(reading, output, metrics);
        this.metrics = metrics;
        this.output = output;
        this.marks = marks;
        this.blocks = blocks;
        this.source = new PartialSource(spec.plan().values().size());
        this.clock = new LineClock(reading.maxOutOfOrdernessMillis());
    }

    /** Takes what became of some rows of a batch; {@code firstRow} is the first of them. */
    void part(ParsedLines part, List<LineSegment> segments, int firstRow) throws Exception {
        long started = System.nanoTime();
        LineGroups result = part.groups();
        clock.saw(result.maxTimestamp());
        boolean late = merge(result);
        if (late || result.refused() > 0) {
            TextView text = part.lines().text(0);
            LineCursor lines = new LineCursor(text, segments, firstRow);
            if (late) {
                readAll(result, lines);
            } else {
                readRefused(result, lines);
            }
        }
        metrics.lines.add(result.lines());
        metrics.copyNanos.add(result.copyNanos());
        metrics.parseNanos.add(result.deviceNanos());
        metrics.mergeNanos.add(System.nanoTime() - started);
    }

    /** Called behind the last part of a batch: moves the watermark. */
    void completed() throws Exception {
        metrics.batches.add(1L);
        if (shape.isEventTime() && clock.advance()) {
            held.drain(clock.watermark(), this::partial);
            blocks.flush();
            marks.emit(new Watermark(clock.watermark()));
        }
    }

    /** Sends all that is held. */
    void sendHeld() throws Exception {
        held.drain(Long.MAX_VALUE, this::partial);
        blocks.flush();
    }

    /** From now on the windows' watermark may be ahead of this one, so that any line may be late. */
    void idle() {
        wasIdle = true;
    }

    /**
     * Merges the groups that are not late.
     *
     * @return whether one was
     */
    private boolean merge(LineGroups result) throws Exception {
        GroupedBatch groups = result.groups();
        TextView keys = result.keys();
        boolean late = false;
        for (int group = 0; group < groups.groups(); group++) {
            long slice = groups.slice(group);
            if (isLate(slice)) {
                late = true;
                continue;
            }
            if (held.isFull()) {
                sendHeld();
            }
            int start = keys.start(group);
            held.add(
                    keys.dataAddress() + start,
                    keys.end(group) - start,
                    slice,
                    lastThreshold,
                    groups,
                    group);
        }
        return late;
    }

    private void readRefused(LineGroups result, LineCursor lines) {
        for (int i = 0; i < result.refused(); i++) {
            lines.take(result.refusedStart(i));
            if (read(lines)) {
                raw();
            }
        }
    }

    /** Sends refused lines, and those of groups that were late. */
    private void readAll(LineGroups result, LineCursor lines) {
        int refused = 0;
        while (lines.next()) {
            boolean isRefused =
                    refused < result.refused() && result.refusedStart(refused) == lines.start();
            refused += isRefused ? 1 : 0;
            if (read(lines)
                    && (isRefused || isLate(spec.plan().time().sliceOf(host.timestamp())))) {
                raw();
            }
        }
    }

    private boolean read(LineCursor lines) {
        return host.read(lines.bytes(), 0, lines.length(), lines.file(), lines.offsetBytes());
    }

    /** Whether a line of a slice must be sent as it is; sets its threshold. */
    private boolean isLate(long slice) {
        if (slice != lastSlice || lastThreshold == Long.MIN_VALUE) {
            lastSlice = slice;
            lastThreshold = shape.threshold(slice, shape.sliceEnd(slice));
        }
        return shape.isEventTime() && (wasIdle || lastThreshold <= clock.watermark());
    }

    /** Emits the last line that was read. */
    private void raw() {
        reused.replace(WindowInput.raw(host.row()));
        if (spec.reading().hasTime()) {
            clock.saw(host.timestamp());
            reused.setTimestamp(host.timestamp());
        } else {
            reused.eraseTimestamp();
        }
        output.collect(reused);
        metrics.raw.add(1);
    }

    private void partial(String key, long slice, Partial partial) {
        codec.write(key, keyBytes);
        blocks.group(
                blocks.keyGroup(key), keyBytes, slice, shape.sliceEnd(slice), source.open(partial));
        metrics.partials.add(1);
    }
}
