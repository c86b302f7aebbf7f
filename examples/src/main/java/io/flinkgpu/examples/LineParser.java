package io.flinkgpu.examples;

import org.apache.flink.api.common.accumulators.LongMaximum;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichFlatMapFunction;
import org.apache.flink.util.Collector;

import java.io.IOException;

/** Reads what the lines of ranges ask for, of numbers of ranges. A malformed line fails the job. */
final class LineParser extends RichFlatMapFunction<Long, SearchOperation> {

    private static final long serialVersionUID = 1L;

    private final LineCounts counts;
    private final SetFormat format;
    private transient RangeReader reader;
    private transient ElementReader sets;
    private transient LongMaximum readMillis;

    LineParser(LineCounts counts, SetFormat format) {
        this.counts = counts;
        this.format = format;
    }

    @Override
    public void open(OpenContext context) throws IOException {
        reader = new RangeReader(counts);
        sets = new ElementReader();
        readMillis = new LongMaximum();
        getRuntimeContext().addAccumulator(Counters.READ_MILLIS, readMillis);
    }

    @Override
    public void flatMap(Long range, Collector<SearchOperation> out) throws IOException {
        reader.read(
                range.intValue(),
                (number, bytes, from, to) -> out.collect(parse(number, bytes, from, to)));
        readMillis.add(System.currentTimeMillis());
    }

    private SearchOperation parse(long number, byte[] bytes, int from, int to) {
        try {
            return format.read(number, bytes, from, to, sets);
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
