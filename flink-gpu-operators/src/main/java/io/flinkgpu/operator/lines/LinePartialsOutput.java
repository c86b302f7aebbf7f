package io.flinkgpu.operator.lines;

import io.flinkgpu.api.lines.LineFields;
import io.flinkgpu.backend.plan.GroupedBatch;
import io.flinkgpu.backend.plan.LineGroups;
import io.flinkgpu.backend.plan.LinePlan;
import io.flinkgpu.backend.plan.UngroupedLines;
import io.flinkgpu.column.RowValues;
import io.flinkgpu.column.TextView;
import io.flinkgpu.groups.KeyBytes;
import io.flinkgpu.operator.window.local.BatchGroup;

import org.apache.flink.streaming.api.watermark.Watermark;

import java.util.List;

/**
 * What became of batches of lines to {@link LinePartials}: groups, lines that a backend did not group, and those that
 * it left to the host. Task thread only.
 */
final class LinePartialsOutput implements LineResults, AutoCloseable {

    private final LinePlan plan;
    private final HostLines host;
    private final LineMetrics metrics;
    private final OwnWatermarks marks;
    private final LinePartials partials;
    private final LineClock clock;
    private final KeyBytes key = new KeyBytes();
    private final BatchGroup group = new BatchGroup();
    private final RowValues values;
    private final int[] fields;

    /**
     * @param partials closed with this
     */
    LinePartialsOutput(
            LineReading reading,
            LinePlan plan,
            HostLines host,
            LineMetrics metrics,
            OwnWatermarks marks,
            LinePartials partials) {
        this.plan = plan;
        this.host = host;
        this.metrics = metrics;
        this.marks = marks;
        this.partials = partials;
        clock = new LineClock(reading.maxOutOfOrdernessMillis());
        fields = plan.valueFields().stream().mapToInt(Integer::intValue).toArray();
        values = new RowValues(fields.length);
    }

    @Override
    public void part(ParsedLines part, List<LineSegment> segments, int firstRow) throws Exception {
        long started = System.nanoTime();
        LineGroups result = part.groups();
        TextView text = part.lines().text(LinePlan.LINES_COLUMN);
        clock.saw(result.maxTimestamp());
        merge(result);
        add(result.ungrouped(), text);
        if (result.refused() > 0) {
            addRefused(result, new LineCursor(text, segments, firstRow));
        }
        metrics.merged(result, started);
    }

    @Override
    public void given(ParsedLines part) {
        throw new IllegalStateException("a program holds no groups of lines with a time");
    }

    @Override
    public void completed() throws Exception {
        metrics.batchDone();
        if (clock.advance()) {
            partials.advance(clock.watermark());
            marks.emit(new Watermark(clock.watermark()));
        }
    }

    void flush() throws Exception {
        partials.flush();
    }

    private void merge(LineGroups result) throws Exception {
        GroupedBatch groups = result.groups();
        TextView keys = result.keys();
        group.open(groups);
        for (int i = 0; i < groups.groups(); i++) {
            int start = keys.start(i);
            key.set(keys.dataAddress() + start, keys.end(i) - start);
            partials.merge(key, groups.slice(i), group.move(i));
        }
    }

    private void add(UngroupedLines lines, TextView text) throws Exception {
        for (int i = 0; i < lines.size(); i++) {
            for (int value = 0; value < fields.length; value++) {
                if (lines.isNull(i, value)) {
                    values.putNull(value);
                } else {
                    values.putWord(value, lines.word(i, value));
                }
            }
            key.setPadded(text.dataAddress() + lines.keyStart(i), lines.keyLength(i));
            partials.add(key, lines.slice(i), values);
        }
    }

    private void addRefused(LineGroups result, LineCursor lines) throws Exception {
        for (int i = 0; i < result.refused(); i++) {
            lines.take(result.refusedStart(i));
            if (host.read(lines.bytes(), 0, lines.length(), lines.file(), lines.offsetBytes())) {
                clock.saw(host.timestamp());
                add(host.fields());
            }
        }
    }

    private void add(LineFields line) throws Exception {
        for (int value = 0; value < fields.length; value++) {
            if (line.isNull(fields[value])) {
                values.putNull(value);
            } else {
                values.putWord(value, line.word(fields[value]));
            }
        }
        byte[] text = line.text(plan.key());
        key.set(text, 0, text.length);
        partials.add(key, plan.time().sliceOf(host.timestamp()), values);
    }

    @Override
    public void close() {
        partials.close();
    }
}
