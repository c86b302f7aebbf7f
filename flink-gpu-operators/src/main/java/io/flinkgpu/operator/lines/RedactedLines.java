package io.flinkgpu.operator.lines;

import io.flinkgpu.api.LineChunk;
import io.flinkgpu.backend.RedactedBatch;
import io.flinkgpu.column.TextView;
import io.flinkgpu.operator.InFlightBatch;
import io.flinkgpu.operator.RedactMetrics;

import org.apache.flink.streaming.api.operators.Output;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;

/** A batch of lines on its way through a redaction, and its emission: a chunk for each segment. */
final class RedactedLines extends InFlightBatch<RedactedBatch> {

    private final LineSegments segments;
    private final int rows;
    private final int bytes;
    private final Output<StreamRecord<LineChunk>> output;
    private final RedactMetrics metrics;
    private int segment;
    private int emittedRows;

    /** The lines of the segment under way that were in earlier parts; null if there are none. */
    private ByteArrayOutputStream earlierLines;

    /**
     * @param bytes of the batch
     */
    RedactedLines(
            LineSegments segments,
            int bytes,
            Output<StreamRecord<LineChunk>> output,
            RedactMetrics metrics) {
        this.segments = segments;
        this.rows = segments.endRow(segments.size() - 1);
        this.bytes = bytes;
        this.output = output;
        this.metrics = metrics;
    }

    @Override
    protected void emitPart(RedactedBatch part) {
        metrics.redacted(part);
        TextView text = part.text();
        int firstRow = emittedRows;
        int end = firstRow + part.rows();
        while (emittedRows < end) {
            int endRow = Math.min(segments.endRow(segment), end);
            byte[] lines =
                    text.copy(text.start(emittedRows - firstRow), text.start(endRow - firstRow));
            emittedRows = endRow;
            if (endRow == segments.endRow(segment)) {
                emitSegment(lines);
            } else {
                keep(lines);
            }
        }
    }

    @Override
    protected void emitEnd() {
        metrics.completed(rows, bytes);
    }

    private void keep(byte[] lines) {
        if (earlierLines == null) {
            earlierLines = new ByteArrayOutputStream();
        }
        earlierLines.writeBytes(lines);
    }

    private void emitSegment(byte[] lastLines) {
        byte[] lines = lastLines;
        if (earlierLines != null) {
            earlierLines.writeBytes(lastLines);
            lines = earlierLines.toByteArray();
            earlierLines = null;
        }
        if (!segments.isTerminated(segment)) {
            lines = Arrays.copyOf(lines, lines.length - 1);
        }
        output.collect(
                new StreamRecord<>(
                        new LineChunk(
                                segments.file(segment), segments.offsetBytes(segment), lines)));
        segment++;
    }
}
