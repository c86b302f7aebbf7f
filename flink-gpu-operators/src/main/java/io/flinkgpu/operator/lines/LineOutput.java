package io.flinkgpu.operator.lines;

import io.flinkgpu.api.ErrorValues;
import io.flinkgpu.backend.plan.GroupedBatch;
import io.flinkgpu.backend.plan.LineGroups;
import io.flinkgpu.backend.plan.UngroupedLines;
import io.flinkgpu.column.TextView;
import io.flinkgpu.groups.GroupSource;
import io.flinkgpu.groups.KeyBytes;
import io.flinkgpu.groups.TextHash;
import io.flinkgpu.operator.window.WindowInput;
import io.flinkgpu.operator.window.WindowShape;
import io.flinkgpu.operator.window.local.BatchGroup;
import io.flinkgpu.operator.window.local.BlockOutput;
import io.flinkgpu.operator.window.local.HeldGroups;

import org.apache.flink.streaming.api.operators.Output;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.types.Row;

import java.util.List;

/**
 * Merges the results of batches and sends them: groups, once the watermark reaches them or something else
 * wants them gone; lines that a backend did not group, at once; lines that it refused, or that are late,
 * as records. Task thread only.
 */
final class LineOutput implements LineResults, AutoCloseable {

    /** Groups of fewer lines than this are not merged if the program may have held them. */
    private static final int MERGED_LINES = 4;

    /** Not more than this cost nothing. */
    private static final int FEW_GROUPS = 1 << 14;

    private final LineAggregateSpec spec;
    private final WindowShape shape;
    private final HeldGroups held;
    private final HostLines host;
    private final LineMetrics metrics;
    private final RawLines raw;
    private final OwnWatermarks marks;
    private final LineClock clock;
    private final BlockOutput<String, Row> blocks;
    private final KeyBytes key = new KeyBytes();
    private final BatchGroup group = new BatchGroup();
    private final UngroupedOutput ungrouped;
    private boolean wasIdle;
    private long lastSlice;
    private long lastThreshold = Long.MIN_VALUE;
    private long lastEnd;

    /** Whether the program has given out all that it held. */
    private boolean allGiven;

    /** The least threshold of what is in blocks and may not have been sent; the least of all of groups. */
    private long leastThreshold = Long.MAX_VALUE;

    /**
     * @param marks where watermarks go; called for lines with times only
     * @param blocks that send groups to {@code output}
     * @param errors writes text of lines into messages
     */
    LineOutput(
            LineAggregateSpec spec,
            Output<StreamRecord<WindowInput<String, Row>>> output,
            LineMetrics metrics,
            OwnWatermarks marks,
            BlockOutput<String, Row> blocks,
            ErrorValues errors) {
        LineReading reading = spec.reading();
        this.spec = spec;
        this.shape = spec.shape();
        this.held = new HeldGroups(shape, spec.plan().values(), spec.maxHeldBytes(), this::group);
        this.host = new HostLines(reading, output, metrics, errors);
        this.metrics = metrics;
        this.marks = marks;
        this.blocks = blocks;
        this.ungrouped = new UngroupedOutput(held, blocks, spec.plan().values().size());
        this.clock = new LineClock(reading.maxOutOfOrdernessMillis());
        this.raw = new RawLines(reading.hasTime(), host, clock, metrics, output);
    }

    @Override
    public void part(ParsedLines part, List<LineSegment> segments, int firstRow) throws Exception {
        long started = System.nanoTime();
        LineGroups result = part.groups();
        clock.saw(result.maxTimestamp());
        TextView text = part.lines().text(0);
        boolean late = merge(result) | sendUngrouped(result.ungrouped(), text);
        if (late || result.refused() > 0) {
            LineCursor lines = new LineCursor(text, segments, firstRow);
            if (late) {
                readAll(result, lines);
            } else {
                readRefused(result, lines);
            }
        }
        metrics.merged(result, started);
    }

    /** From here on {@link #isAllGiven} waits for what the program holds. */
    void awaitGiven() {
        allGiven = false;
    }

    /** Whether a result without groups was given. */
    boolean isAllGiven() {
        return allGiven;
    }

    @Override
    public void given(ParsedLines part) {
        long started = System.nanoTime();
        allGiven |= part.groups().groups().groups() == 0;
        merge(part.groups());
        metrics.parseNanos.add(part.groups().deviceNanos());
        metrics.mergeNanos.add(System.nanoTime() - started);
    }

    @Override
    public void completed() throws Exception {
        metrics.batchDone();
        if (shape.isEventTime() && clock.advance()) {
            sendHeld(clock.watermark());
            if (leastThreshold <= clock.watermark()) {
                flush();
            }
            marks.emit(new Watermark(clock.watermark()));
        }
    }

    /** Sends all that is held. */
    void sendHeld() throws Exception {
        sendHeld(Long.MAX_VALUE);
        flush();
    }

    private void sendHeld(long watermark) {
        if (held.send(watermark)) {
            ungrouped.groupsSent();
        }
    }

    private void flush() {
        blocks.flush();
        leastThreshold = Long.MAX_VALUE;
    }

    /** From now on the windows' watermark may be ahead of this one, so that any line may be late. */
    void idle() {
        wasIdle = true;
    }

    /**
     * Merges the groups that are not late. What a program has held is sent at once.
     *
     * @return whether one was
     */
    private boolean merge(LineGroups result) {
        GroupedBatch groups = result.groups();
        TextView keys = result.keys();
        group.open(groups);
        boolean late = false;
        boolean isGiven = isGiven(result);
        int padded = keys.dataBytes() - KeyBytes.PADDING;
        int sent = 0;
        for (int i = 0; i < groups.groups(); i++) {
            long slice = groups.slice(i);
            if (isLate(slice)) {
                late = true;
                continue;
            }
            int keyGroup = blocks.keyGroupOfHash(readKey(keys, i, padded));
            if (isGiven) {
                blocks.group(keyGroup, key, slice, lastEnd, group.move(i));
                sent++;
            } else {
                held.merge(keyGroup, key, slice, lastEnd, group.move(i));
            }
        }
        if (sent > 0) {
            sent(sent);
        }
        return late;
    }

    /**
     * Sets a key, and gives its hash.
     *
     * @param padded where a key ends at the latest after which more bytes can be read
     */
    private int readKey(TextView keys, int of, int padded) {
        int start = keys.start(of);
        int end = keys.end(of);
        long address = keys.dataAddress() + start;
        if (end <= padded) {
            key.setPadded(address, end - start);
            return TextHash.of(key, address);
        }
        key.set(address, end - start);
        return TextHash.of(key.array(), 0, key.length());
    }

    /** Whether groups are of several batches, or so many that it does not pay to wait for more of them. */
    private boolean isGiven(LineGroups result) {
        int groups = result.groups().groups();
        boolean isMany = groups > FEW_GROUPS && MERGED_LINES * (long) groups > result.lines();
        return spec.plan().holdsGroups() && (isMany || result.lines() == 0);
    }

    /**
     * Adds the lines that are in no group and not late to those that are held, or sends them.
     *
     * @param text of the batch
     * @return whether one was late
     */
    private boolean sendUngrouped(UngroupedLines lines, TextView text) {
        boolean late = false;
        int sent = 0;
        for (int i = 0; i < lines.size(); ) {
            long slice = lines.slice(i);
            int first = i++;
            while (i < lines.size() && lines.slice(i) == slice) {
                i++;
            }
            if (isLate(slice)) {
                late = true;
                continue;
            }
            int inBlocks = ungrouped.add(lines, text, first, i, slice, lastEnd);
            if (inBlocks > 0) {
                leastThreshold = Math.min(leastThreshold, lastThreshold);
            }
            sent += inBlocks;
        }
        metrics.ungrouped.add(sent);
        return late;
    }

    private void readRefused(LineGroups result, LineCursor lines) {
        for (int i = 0; i < result.refused(); i++) {
            lines.take(result.refusedStart(i));
            if (read(lines)) {
                raw.send();
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
                raw.send();
            }
        }
    }

    private boolean read(LineCursor lines) {
        return host.read(lines.bytes(), 0, lines.length(), lines.file(), lines.offsetBytes());
    }

    /** Whether a line of a slice must be sent as it is; sets the slice's threshold and end. */
    private boolean isLate(long slice) {
        if (slice != lastSlice || lastThreshold == Long.MIN_VALUE) {
            lastSlice = slice;
            lastEnd = shape.sliceEnd(slice);
            lastThreshold = shape.threshold(slice, lastEnd);
        }
        return shape.isEventTime() && (wasIdle || lastThreshold <= clock.watermark());
    }

    private void group(int keyGroup, KeyBytes of, long slice, long end, GroupSource from) {
        blocks.group(keyGroup, of, slice, end, from);
        sent(1);
    }

    private void sent(int groups) {
        leastThreshold = Long.MIN_VALUE;
        metrics.partials.add(groups);
    }

    /** Forgets what is held. */
    @Override
    public void close() {
        held.close();
    }
}
