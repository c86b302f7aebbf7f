package io.flinkgpu.operator.lines;

import io.flinkgpu.api.LentLines;
import io.flinkgpu.api.LineChunk;
import io.flinkgpu.backend.RedactedBatch;
import io.flinkgpu.column.TextView;
import io.flinkgpu.operator.InFlightBatch;
import io.flinkgpu.operator.RedactMetrics;

import org.apache.flink.streaming.api.operators.Output;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

import java.io.ByteArrayOutputStream;

/** A batch of lines on its way through a redaction, and its emission: a chunk for each segment. */
final class RedactedLines extends InFlightBatch<RedactedBatch> {

    private final LineSegments segments;
    private final int rows;
    private final int bytes;
    private final boolean lendsLines;
    private final Output<StreamRecord<LineChunk>> output;
    private final RedactMetrics metrics;
    private int segment;
    private int emittedRows;

    /** The lines of the segment under way that were in earlier parts; null if there are none. */
    private ByteArrayOutputStream earlierLines;

    /**
     * @param bytes of the batch
     * @param lendsLines whether a chunk has its lines only until the output returns, where it can
     */
    RedactedLines(
            LineSegments segments,
            int bytes,
            boolean lendsLines,
            Output<StreamRecord<LineChunk>> output,
            RedactMetrics metrics) {
        this.segments = segments;
        this.rows = segments.endRow(segments.size() - 1);
        this.bytes = bytes;
        this.lendsLines = lendsLines;
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
            int from = text.start(emittedRows - firstRow);
            int to = text.start(endRow - firstRow);
            emittedRows = endRow;
            if (endRow < segments.endRow(segment)) {
                keep(text.copy(from, to));
            } else {
                emitSegment(text, from, to);
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

    /** Emits the segment under way, which ends with some bytes of a part. */
    private void emitSegment(TextView text, int from, int to) {
        int added = segments.isTerminated(segment) ? 0 : 1;
        if (earlierLines != null) {
            earlierLines.writeBytes(text.copy(from, to - added));
            byte[] lines = earlierLines.toByteArray();
            earlierLines = null;
            emit(chunk(lines));
        } else if (lendsLines) {
            emitLent(text, from, to - added - from);
        } else {
            emit(chunk(text.copy(from, to - added)));
        }
        segment++;
    }

    private void emitLent(TextView text, int from, int length) {
        try (LentLines lent =
                new LentLines(length, (at, target, count) -> text.copy(from + at, target, count))) {
            emit(new LineChunk(segments.file(segment), segments.offsetBytes(segment), lent));
        }
    }

    private LineChunk chunk(byte[] lines) {
        return new LineChunk(segments.file(segment), segments.offsetBytes(segment), lines);
    }

    private void emit(LineChunk chunk) {
        output.collect(new StreamRecord<>(chunk));
    }
}
