package io.flinkgpu.applications;

import org.apache.flink.api.common.accumulators.LongMaximum;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichFlatMapFunction;
import org.apache.flink.util.Collector;

import java.io.IOException;

/**
 * Reads what the lines of ranges ask for, of numbers of ranges. A malformed line fails the job.
 *
 * @param <T> what a line asks for
 */
final class LineParser<T> extends RichFlatMapFunction<Long, T> {

    private static final long serialVersionUID = 1L;

    private final LineCounts counts;
    private final LineFormat<T> format;
    private transient RangeReader reader;
    private transient LineFormat.Reader<T> lines;
    private transient LongMaximum readMillis;

    LineParser(LineCounts counts, LineFormat<T> format) {
        this.counts = counts;
        this.format = format;
    }

    @Override
    public void open(OpenContext context) throws IOException {
        reader = new RangeReader(counts);
        lines = format.open();
        readMillis = new LongMaximum();
        getRuntimeContext().addAccumulator(Counters.READ_MILLIS, readMillis);
    }

    @Override
    public void flatMap(Long range, Collector<T> out) throws IOException {
        reader.read(
                range.intValue(),
                (number, bytes, from, to) -> out.collect(parse(number, bytes, from, to)));
        readMillis.add(System.currentTimeMillis());
    }

    private T parse(long number, byte[] bytes, int from, int to) {
        try {
            return lines.read(number, bytes, from, to);
        } catch (IllegalArgumentException e) {
            throw MalformedException.of(counts.file(), number, e.getMessage());
        }
    }

    @Override
    public void close() throws IOException {
        if (reader != null) {
            reader.close();
        }
    }
}
