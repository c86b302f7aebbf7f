package io.flinkgpu.windows;

import org.apache.flink.api.common.functions.AggregateFunction;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.functions.windowing.ProcessWindowFunction;
import org.apache.flink.streaming.api.windowing.windows.TimeWindow;
import org.apache.flink.streaming.api.windowing.windows.Window;
import org.apache.flink.util.Collector;

import java.util.ArrayList;
import java.util.List;

/** The judge's aggregation for Flink's own operator: keeps a window's rows and computes at the end. */
final class KeepsRows implements AggregateFunction<Reading, List<Reading>, String> {

    private static final long serialVersionUID = 1L;

    static final TypeInformation<List<Reading>> ACCUMULATOR = Types.LIST(Types.POJO(Reading.class));

    private final Query query;

    KeepsRows(Query query) {
        this.query = query;
    }

    @Override
    public List<Reading> createAccumulator() {
        return new ArrayList<>();
    }

    @Override
    public List<Reading> add(Reading reading, List<Reading> rows) {
        rows.add(reading.copy());
        return rows;
    }

    @Override
    public String getResult(List<Reading> rows) {
        return query.results(rows);
    }

    @Override
    public List<Reading> merge(List<Reading> a, List<Reading> b) {
        List<Reading> both = new ArrayList<>(a);
        both.addAll(b);
        return both;
    }

    static String row(String key, long startMillis, long endMillis, String results) {
        return key + " [" + startMillis + ", " + endMillis + ") " + results;
    }

    /** Adds the key and the window. */
    static final class ToRow<W extends Window>
            extends ProcessWindowFunction<String, String, String, W> {

        private static final long serialVersionUID = 1L;

        @Override
        public void process(
                String key, Context context, Iterable<String> results, Collector<String> out) {
            boolean timed = context.window() instanceof TimeWindow;
            long start = timed ? ((TimeWindow) context.window()).getStart() : Long.MIN_VALUE;
            long end = timed ? ((TimeWindow) context.window()).getEnd() : Long.MAX_VALUE;
            results.forEach(result -> out.collect(row(key, start, end, result)));
        }
    }
}
