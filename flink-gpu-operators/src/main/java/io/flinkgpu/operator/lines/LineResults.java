package io.flinkgpu.operator.lines;

import java.util.List;

/** Takes what became of batches of lines. Task thread only. */
interface LineResults {

    /** Takes what became of some rows of a batch; {@code firstRow} is the first of them. */
    void part(ParsedLines part, List<LineSegment> segments, int firstRow) throws Exception;

    /** Takes some of the groups that the program held, which came with a batch of no lines. */
    void given(ParsedLines part);

    /** Called after the last part of a batch: moves the watermark. */
    void completed() throws Exception;
}
