package io.flinkgpu.operator.lines;

import io.flinkgpu.operator.InFlightBatch;

/** The part of a batch that stays on the task thread: where its lines come from. */
final class LineBatch extends InFlightBatch<ParsedLines> {

    private final LineSegments segments;
    private final LineOutput output;
    private int nextRow;

    LineBatch(LineSegments segments, LineOutput output) {
        this.segments = segments;
        this.output = output;
    }

    @Override
    protected void emitPart(ParsedLines part) throws Exception {
        output.part(part, segments, nextRow);
        nextRow += part.lines().rows();
    }

    @Override
    protected void emitEnd() throws Exception {
        output.completed();
    }
}
