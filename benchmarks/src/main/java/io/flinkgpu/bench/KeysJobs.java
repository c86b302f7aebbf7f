package io.flinkgpu.bench;

import io.flinkgpu.GpuStreams;
import io.flinkgpu.KeyedGpuStream;
import io.flinkgpu.WindowedGpuStream;
import io.flinkgpu.api.AggregateValues;
import io.flinkgpu.api.Aggregates;
import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.api.WindowResult;

import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.functions.AggregateFunction;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.KeyedStream;
import org.apache.flink.streaming.api.datastream.WindowedStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.windowing.ProcessWindowFunction;
import org.apache.flink.streaming.api.windowing.assigners.EventTimeSessionWindows;
import org.apache.flink.streaming.api.windowing.assigners.GlobalWindows;
import org.apache.flink.streaming.api.windowing.assigners.SlidingEventTimeWindows;
import org.apache.flink.streaming.api.windowing.assigners.TumblingEventTimeWindows;
import org.apache.flink.streaming.api.windowing.assigners.WindowAssigner;
import org.apache.flink.streaming.api.windowing.triggers.ContinuousEventTimeTrigger;
import org.apache.flink.streaming.api.windowing.triggers.ContinuousProcessingTimeTrigger;
import org.apache.flink.streaming.api.windowing.windows.TimeWindow;
import org.apache.flink.streaming.api.windowing.windows.Window;
import org.apache.flink.util.Collector;

import java.time.Duration;

/**
 * Minimum, mean, maximum and count of a cell's windows by our operator and by Flink's own. A row is a
 * pair of boxed numbers, which Flink has a fast serializer for.
 */
final class KeysJobs {

    static final TypeInformation<long[]> RESULT =
            PrimitiveArrayTypeInfo.LONG_PRIMITIVE_ARRAY_TYPE_INFO;

    private static final TypeInformation<Tuple2<Long, Double>> ROW =
            Types.TUPLE(Types.LONG, Types.DOUBLE);
    private static final TypeInformation<double[]> KEPT =
            PrimitiveArrayTypeInfo.DOUBLE_PRIMITIVE_ARRAY_TYPE_INFO;

    /** Rows of a window of {@link KeysCell.Windows#COUNT}. */
    private static final long ROWS_A_COUNT = 100;

    /** Event time from one early result to the next. */
    private static final Duration EARLY = Duration.ofSeconds(1);

    /** Between updates of a running aggregate. */
    static final Duration UPDATES = Duration.ofMillis(100);

    private static final Duration EARLY_WINDOW = Duration.ofSeconds(10);

    private KeysJobs() {}

    private static DataStream<Tuple2<Long, Double>> rows(
            StreamExecutionEnvironment environment, KeysCell cell, boolean held) {
        KeysSource.Maker<Tuple2<Long, Double>> maker = Tuple2::of;
        return environment.fromSource(
                new KeysSource<>(cell, maker, ROW, held), WatermarkStrategy.noWatermarks(), "rows");
    }

    /** No windows at all: what the rows cost by themselves. */
    static void source(StreamExecutionEnvironment environment, KeysCell cell, boolean held) {
        rows(environment, cell, held).flatMap((row, out) -> {}, RESULT).sinkTo(new KeysTally());
    }

    static void ours(
            StreamExecutionEnvironment environment,
            KeysCell cell,
            boolean held,
            GpuOptions gpu,
            boolean localAggregation) {
        KeyedGpuStream<Tuple2<Long, Double>, Long> keyed =
                GpuStreams.on(rows(environment, cell, held))
                        .withOptions(gpu)
                        .keyBy(row -> row.f0, Types.LONG);
        Aggregates<Tuple2<Long, Double>> aggregates =
                Aggregates.of((Tuple2<Long, Double> row) -> row.f1).min().mean().max().count();
        DataStream<long[]> results =
                cell.windows() == KeysCell.Windows.RUNNING
                        ? keyed.every(UPDATES)
                                .localAggregation(localAggregation)
                                .aggregate(aggregates, KeysJobs::tally, RESULT)
                        : windows(keyed, cell)
                                .localAggregation(localAggregation)
                                .aggregate(aggregates, KeysJobs::tally, RESULT);
        results.sinkTo(new KeysTally());
    }

    private static WindowedGpuStream<Tuple2<Long, Double>, Long> windows(
            KeyedGpuStream<Tuple2<Long, Double>, Long> keyed, KeysCell cell) {
        return switch (cell.windows()) {
            case COUNT -> keyed.countWindow(ROWS_A_COUNT);
            case EARLY ->
                    keyed.window(assigner(cell)).trigger(ContinuousEventTimeTrigger.of(EARLY));
            default -> keyed.window(assigner(cell));
        };
    }

    private static long[] tally(WindowResult<Long> result) {
        AggregateValues values = result.values();
        return KeysTally.window(
                result.key(),
                result.startMillis(),
                values.getLong(3),
                values.getDouble(0),
                values.getDouble(1),
                values.getDouble(2));
    }

    static void flink(StreamExecutionEnvironment environment, KeysCell cell, boolean held) {
        KeyedStream<Tuple2<Long, Double>, Long> keyed =
                rows(environment, cell, held).keyBy(row -> row.f0, Types.LONG);
        DataStream<long[]> results =
                switch (cell.windows()) {
                    case COUNT -> plain(keyed.countWindow(ROWS_A_COUNT));
                    case EARLY ->
                            plain(
                                    keyed.window(TumblingEventTimeWindows.of(EARLY_WINDOW))
                                            .trigger(ContinuousEventTimeTrigger.of(EARLY)));
                    case RUNNING ->
                            plain(
                                    keyed.window(GlobalWindows.create())
                                            .trigger(ContinuousProcessingTimeTrigger.of(UPDATES)));
                    default -> plain(keyed.window(assigner(cell)));
                };
        results.sinkTo(new KeysTally());
    }

    private static <W extends Window> DataStream<long[]> plain(
            WindowedStream<Tuple2<Long, Double>, Long, W> windows) {
        return windows.aggregate(new PlainAggregate(), new Results<>(), KEPT, KEPT, RESULT);
    }

    private static WindowAssigner<Object, ? extends Window> assigner(KeysCell cell) {
        return switch (cell.windows()) {
            case TUMBLING -> TumblingEventTimeWindows.of(Duration.ofSeconds(1));
            case ONE -> TumblingEventTimeWindows.of(Duration.ofDays(1));
            case EARLY -> TumblingEventTimeWindows.of(EARLY_WINDOW);
            case GLOBAL -> GlobalWindows.createWithEndOfStreamTrigger();
            case SLIDING ->
                    SlidingEventTimeWindows.of(Duration.ofSeconds(60), Duration.ofSeconds(1));
            case SESSION -> EventTimeSessionWindows.withGap(Duration.ofMillis(100));
            case COUNT, RUNNING -> throw new IllegalArgumentException(cell.name());
        };
    }

    /** Minimum, sum, maximum and count, as cheap as Flink can keep them: one array, changed in place. */
    private static final class PlainAggregate
            implements AggregateFunction<Tuple2<Long, Double>, double[], double[]> {

        private static final long serialVersionUID = 1L;

        @Override
        public double[] createAccumulator() {
            return new double[] {Double.POSITIVE_INFINITY, 0, Double.NEGATIVE_INFINITY, 0};
        }

        @Override
        public double[] add(Tuple2<Long, Double> row, double[] kept) {
            double value = row.f1;
            kept[0] = Math.min(kept[0], value);
            kept[1] += value;
            kept[2] = Math.max(kept[2], value);
            kept[3]++;
            return kept;
        }

        @Override
        public double[] getResult(double[] kept) {
            return kept;
        }

        @Override
        public double[] merge(double[] a, double[] b) {
            return new double[] {
                Math.min(a[0], b[0]), a[1] + b[1], Math.max(a[2], b[2]), a[3] + b[3]
            };
        }
    }

    private static final class Results<W extends Window>
            extends ProcessWindowFunction<double[], long[], Long, W> {

        private static final long serialVersionUID = 1L;

        @Override
        public void process(
                Long key, Context context, Iterable<double[]> values, Collector<long[]> out) {
            double[] kept = values.iterator().next();
            long start =
                    context.window() instanceof TimeWindow window
                            ? window.getStart()
                            : Long.MIN_VALUE;
            out.collect(
                    KeysTally.window(
                            key, start, (long) kept[3], kept[0], kept[1] / kept[3], kept[2]));
        }
    }
}
