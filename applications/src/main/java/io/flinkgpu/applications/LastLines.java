package io.flinkgpu.applications;

import org.apache.flink.api.common.functions.FlatMapFunction;
import org.apache.flink.util.Collector;

/** Keeps the last so many lines: each that comes is inserted, and takes the place of the oldest one. */
final class LastLines implements FlatMapFunction<ShingledLine, LineChange> {

    private static final long serialVersionUID = 1L;

    private final int keep;

    LastLines(int keep) {
        this.keep = keep;
    }

    @Override
    public void flatMap(ShingledLine line, Collector<LineChange> out) {
        out.collect(new LineChange(line.number(), line.number(), line.shingles()));
        if (line.number() > keep) {
            out.collect(new LineChange(line.number(), line.number() - keep, null));
        }
    }
}
