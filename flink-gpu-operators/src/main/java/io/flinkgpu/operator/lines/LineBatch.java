package io.flinkgpu.operator.lines;

import io.flinkgpu.operator.InFlightBatch;

import java.util.List;

/** The part of a batch that stays on the task thread: where its lines come from. */
final class LineBatch extends InFlightBatch<ParsedLines> {

    private final List<LineSegment> segments;
    private final LineResults output;
    private int nextRow;

    LineBatch(List<LineSegment> segments, LineResults output) {
        this.segments = segments;
        this.output = output;
    }

    @Override
    protected void emitPart(ParsedLines part) throws Exception {
        if (segments.isEmpty()) {
            // One of no lines only asks for what the program holds.
            output.given(part);
            return;
        }
        output.part(part, segments, nextRow);
        nextRow += part.lines().rows();
    }

    @Override
    protected void emitEnd() throws Exception {
        if (!segments.isEmpty()) {
            output.completed();
        }
    }
}
