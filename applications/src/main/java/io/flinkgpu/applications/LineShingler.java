package io.flinkgpu.applications;

import io.flinkgpu.api.LineChunk;

import org.apache.flink.api.common.functions.FlatMapFunction;
import org.apache.flink.util.Collector;

import java.util.Arrays;

/** Numbers the lines of a file, which must come in order, and makes sets of them. */
final class LineShingler implements FlatMapFunction<LineChunk, ShingledLine> {

    private static final long serialVersionUID = 1L;

    private final Shingles shingles;

    /** Lines before this one. In no checkpoint, so a job cannot go on where it was. */
    private long lines;

    LineShingler(Shingles shingles) {
        this.shingles = shingles;
    }

    @Override
    public void flatMap(LineChunk chunk, Collector<ShingledLine> out) {
        byte[] bytes = chunk.bytes();
        int start = 0;
        for (int at = 0; at < bytes.length; at++) {
            if (bytes[at] == '\n') {
                collect(bytes, start, at, out);
                start = at + 1;
            }
        }
        if (start < bytes.length) {
            collect(bytes, start, bytes.length, out);
        }
    }

    private void collect(byte[] bytes, int start, int end, Collector<ShingledLine> out) {
        int lineEnd = end > start && bytes[end - 1] == '\r' ? end - 1 : end;
        lines++;
        out.collect(
                new ShingledLine(lines, shingles.of(Arrays.copyOfRange(bytes, start, lineEnd))));
    }
}
