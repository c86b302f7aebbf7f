package io.flinkgpu.operator.lines;

import io.flinkgpu.api.LentLines;
import io.flinkgpu.api.LineChunk;
import io.flinkgpu.backend.plan.RedactedBatch;
import io.flinkgpu.backend.plan.RowFinding;
import io.flinkgpu.column.TextView;
import io.flinkgpu.operator.BatchMetrics;
import io.flinkgpu.operator.InFlightBatch;
import io.flinkgpu.operator.SplitText;
import io.flinkgpu.operator.redact.FindingOutput;
import io.flinkgpu.operator.redact.RedactMetrics;

import org.apache.flink.streaming.api.operators.Output;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

import java.util.Arrays;
import java.util.List;

/** A batch of lines on its way through a redaction, and its emission: a chunk for each segment. */
final class RedactedLines extends InFlightBatch<RedactedBatch> {

    private final List<LineSegment> segments;
    private final int bytes;
    private final boolean holdsLines;
    private final Target target;
    private int segmentIndex;
    private int emittedRows;

    /** Of the batch's text as it came: the bytes of earlier parts, and where the segment of the next row starts. */
    private long inputBytes;

    private long segmentStart;

    /** The lines of the segment under way that were in earlier parts. */
    private final SplitText earlierLines = new SplitText();

    /**
     * Where the batches of an operator go.
     *
     * @param lendsLines whether a chunk has its lines only until the output returns, where it can
     * @param findings null where they are of no interest
     */
    record Target(
            Output<StreamRecord<LineChunk>> output,
            boolean lendsLines,
            RedactMetrics metrics,
            BatchMetrics batchMetrics,
            FindingOutput findings) {}

    /**
     * @param bytes of the batch
     * @param holdsLines whether the batch does, all of one segment
     */
    RedactedLines(List<LineSegment> segments, int bytes, boolean holdsLines, Target target) {
        this.segments = segments;
        this.bytes = bytes;
        this.holdsLines = holdsLines;
        this.target = target;
    }

    @Override
    protected void emitPart(RedactedBatch part) {
        target.metrics().redacted(part);
        TextView text = part.text();
        if (part.holdsLines()) {
            emittedRows += part.lines();
            emitSegment(text, 0, text.dataBytes());
        } else if (holdsLines) {
            emittedRows += part.lines();
            earlierLines.add(text.copy(0, text.dataBytes()));
        } else {
            if (target.findings() != null) {
                sendFindings(part);
            }
            emitRows(text);
        }
    }

    /** Sends findings with where their lines are in the files, before the rows are emitted. */
    private void sendFindings(RedactedBatch part) {
        int firstRow = emittedRows;
        int index = segmentIndex;
        for (RowFinding found : part.findings()) {
            int row = firstRow + found.row();
            while (segments.get(index).endRow() <= row) {
                segmentStart =
                        inputBytes + part.inputStart(segments.get(index).endRow() - firstRow);
                index++;
            }
            LineSegment segment = segments.get(index);
            long line = inputBytes + part.inputStart(found.row()) - segmentStart;
            target.findings().send(found, segment.file(), segment.offsetBytes() + line, null);
        }
        // Those that end in this part without findings after them.
        while (index < segments.size() && segments.get(index).endRow() <= firstRow + part.rows()) {
            segmentStart = inputBytes + part.inputStart(segments.get(index).endRow() - firstRow);
            index++;
        }
        inputBytes += part.inputStart(part.rows());
    }

    private void emitRows(TextView text) {
        int firstRow = emittedRows;
        int end = firstRow + text.rows();
        while (emittedRows < end) {
            int endRow = Math.min(segment().endRow(), end);
            int from = text.start(emittedRows - firstRow);
            int to = text.start(endRow - firstRow);
            emittedRows = endRow;
            if (endRow < segment().endRow()) {
                earlierLines.add(text.copy(from, to));
            } else {
                emitSegment(text, from, to);
            }
        }
    }

    @Override
    protected void emitEnd() {
        if (!earlierLines.isEmpty()) {
            emitKept(new byte[0]);
        }
        target.batchMetrics().rows(emittedRows);
        target.metrics().completed(emittedRows, bytes);
    }

    /** Emits the segment under way, which ends with some bytes of a part. */
    private void emitSegment(TextView text, int from, int to) {
        if (!earlierLines.isEmpty()) {
            emitKept(text.copy(from, to));
            return;
        }
        int length = to - addedBytes() - from;
        if (target.lendsLines()) {
            emitLent(text, from, length);
        } else {
            emit(chunk(text.copy(from, from + length)));
        }
        segmentIndex++;
    }

    /** Emits the segment under way, of which all but these last lines were in earlier parts. */
    private void emitKept(byte[] last) {
        byte[] lines = earlierLines.take(last);
        emit(chunk(Arrays.copyOf(lines, lines.length - addedBytes())));
        segmentIndex++;
    }

    /** The segment under way. */
    private LineSegment segment() {
        return segments.get(segmentIndex);
    }

    /** What the column has behind the last line of the segment under way, and the output does not. */
    private int addedBytes() {
        return segment().isTerminated() ? 0 : 1;
    }

    private void emitLent(TextView text, int from, int length) {
        try (LentLines lent =
                new LentLines(length, (at, target, count) -> text.copy(from + at, target, count))) {
            LineSegment of = segment();
            emit(
                    of.isRecord()
                            ? LineChunk.ofRecord(of.file(), of.offsetBytes(), lent)
                            : new LineChunk(of.file(), of.offsetBytes(), lent));
        }
    }

    private LineChunk chunk(byte[] lines) {
        LineSegment of = segment();
        return of.isRecord()
                ? LineChunk.ofRecord(of.file(), of.offsetBytes(), lines)
                : new LineChunk(of.file(), of.offsetBytes(), lines);
    }

    private void emit(LineChunk chunk) {
        target.output().collect(new StreamRecord<>(chunk));
    }
}
