package io.flinkgpu.operator.lines;

import io.flinkgpu.api.Lines;
import io.flinkgpu.column.ColumnBuilder;
import io.flinkgpu.column.RowValues;
import io.flinkgpu.groups.GroupSource;
import io.flinkgpu.groups.KeyBytes;
import io.flinkgpu.groups.TextHash;
import io.flinkgpu.operator.BatchEngine;
import io.flinkgpu.operator.BatchFunction;
import io.flinkgpu.operator.FlushReason;
import io.flinkgpu.operator.InFlightBatch;
import io.flinkgpu.operator.Mark;
import io.flinkgpu.operator.window.SliceCache;
import io.flinkgpu.operator.window.WindowInput;
import io.flinkgpu.operator.window.WindowShape;
import io.flinkgpu.operator.window.local.BlockOutput;
import io.flinkgpu.operator.window.local.HeldGroups;
import io.flinkgpu.operator.window.local.ReductionMonitor;

import org.apache.flink.streaming.api.operators.Output;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.runtime.watermarkstatus.WatermarkStatus;
import org.apache.flink.types.Row;

import java.io.IOException;
import java.util.function.IntSupplier;

/**
 * Adds each line to the group of its key and slice, with what it adds to cells, and sends groups once the
 * watermark reaches them or something else wants them gone. In all that is seen from outside it is {@link
 * LineAggregator}, but that a batch is a chunk or a range, read on the host and done with when it was
 * taken. Where keys hardly repeat, lines are sent ungrouped for a while.
 *
 * <p>No group is held when a checkpoint barrier passes. All methods are the task thread's.
 */
final class LineCellAggregator implements BatchFunction<Lines, ParsedLines> {

    private final BatchEngine<Lines, ParsedLines> engine;
    private final WindowShape shape;
    private final boolean hasTime;
    private final int keyField;
    private final HostLines host;
    private final LineByLine lines;
    private final LineCells cells;
    private final LineClock clock;
    private final RawLines raw;
    private final OwnWatermarks watermarks;
    private final SliceCache slices;
    private final HeldGroups held;
    private final ReductionMonitor reduction;
    private final BlockOutput<String, Row> blocks;
    private final LineMetrics metrics;
    private final KeyBytes key = new KeyBytes();
    private final IntSupplier keyGroup = this::keyGroup;
    private final Runnable add = this::add;

    private boolean wasIdle;

    /** The least threshold of what is in blocks and may not have been sent; the least of all of groups. */
    private long leastThreshold = Long.MAX_VALUE;

    LineCellAggregator(
            BatchEngine<Lines, ParsedLines> engine,
            LineCellSpec spec,
            HostLines host,
            LineByLine lines,
            Output<StreamRecord<WindowInput<String, Row>>> output,
            BlockOutput<String, Row> blocks,
            LineMetrics metrics) {
        this.engine = engine;
        this.shape = spec.shape();
        this.hasTime = spec.reading().hasTime();
        this.keyField = spec.keyField();
        this.host = host;
        this.lines = lines;
        this.cells = new LineCells(spec);
        this.clock = new LineClock(spec.reading().maxOutOfOrdernessMillis());
        this.raw = new RawLines(hasTime, host, clock, metrics, output);
        this.watermarks = new OwnWatermarks(output);
        this.slices = new SliceCache(shape);
        this.held = new HeldGroups(shape, spec.values(), spec.maxHeldBytes(), this::group);
        this.reduction = new ReductionMonitor(spec.sampleLines());
        this.blocks = blocks;
        this.metrics = metrics;
    }

    /** Null: lines are not put into batches. */
    @Override
    public ColumnBuilder columns() {
        return null;
    }

    @Override
    public boolean processAlone(StreamRecord<Lines> element) throws Exception {
        long started = System.nanoTime();
        metrics.batchSent();
        lines.read(element.getValue(), add);
        metrics.parseNanos.add(System.nanoTime() - started);
        metrics.batchDone();
        if (shape.isEventTime() && clock.advance()) {
            held.send(clock.watermark());
            if (leastThreshold <= clock.watermark()) {
                flush();
            }
            watermarks.emit(new Watermark(clock.watermark()));
        }
        return true;
    }

    @Override
    public boolean append(StreamRecord<Lines> element) {
        throw noBatch();
    }

    @Override
    public InFlightBatch<ParsedLines> take() {
        throw noBatch();
    }

    private static IllegalStateException noBatch() {
        return new IllegalStateException("lines that add to cells are in no batch");
    }

    /** Adds the last line that was read. */
    private void add() {
        long timestamp = hasTime ? host.timestamp() : 0;
        slices.find(timestamp);
        if (shape.isEventTime() && (wasIdle || slices.threshold() <= clock.watermark())) {
            raw.send();
            return;
        }
        clock.saw(timestamp);
        byte[] text = host.fields().text(keyField);
        key.set(text, 0, text.length);
        RowValues row = cells.row(host.fields(), timestamp);
        long start = slices.startMillis();
        long end = slices.endMillis();
        if (reduction.takeUngrouped()) {
            send(start, end, row);
            return;
        }
        int rest = held.add(key, keyGroup, start, end, row);
        if (rest != HeldGroups.ALL) {
            for (int column = 0; column < rest; column++) {
                row.putNull(column);
            }
            send(start, end, row);
        }
        reduction.grouped(1, held.beganGroup() ? 1 : 0);
    }

    private int keyGroup() {
        return blocks.keyGroupOfHash(TextHash.of(key.array(), 0, key.length()));
    }

    private void send(long start, long end, RowValues row) {
        blocks.row(keyGroup(), key, start, end, row);
        leastThreshold = Math.min(leastThreshold, slices.threshold());
        metrics.ungrouped.add(1);
    }

    private void group(int of, KeyBytes ofKey, long start, long end, GroupSource from) {
        blocks.group(of, ofKey, start, end, from);
        leastThreshold = Long.MIN_VALUE;
        metrics.partials.add(1);
    }

    private void flush() {
        blocks.flush();
        leastThreshold = Long.MAX_VALUE;
    }

    @Override
    public void drained() {
        held.sendAll();
        flush();
    }

    @Override
    public void watermark(Watermark watermark, Mark mark) throws Exception {
        watermarks.source(watermark, engine);
    }

    @Override
    public void status(WatermarkStatus status, Mark mark) throws Exception {
        if (status.isIdle()) {
            engine.drain(FlushReason.IDLE);
            wasIdle = true;
        }
        watermarks.status(status);
        mark.forward();
    }

    @Override
    public void mark(Mark mark) throws Exception {
        mark.forward();
    }

    /** Sends nothing; gives all memory back. */
    @Override
    public void close() throws IOException {
        held.close();
        lines.close();
    }
}
