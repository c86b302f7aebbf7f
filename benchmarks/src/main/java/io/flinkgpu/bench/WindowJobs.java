package io.flinkgpu.bench;

import io.flinkgpu.GpuStreams;
import io.flinkgpu.api.Aggregates;
import io.flinkgpu.api.BackendChoice;
import io.flinkgpu.api.GpuOptions;

import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.functions.AggregateFunction;
import org.apache.flink.api.common.typeinfo.TypeHint;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.tuple.Tuple4;
import org.apache.flink.api.java.tuple.Tuple5;
import org.apache.flink.connector.datagen.source.DataGeneratorSource;
import org.apache.flink.connector.datagen.source.GeneratorFunction;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.windowing.ProcessWindowFunction;
import org.apache.flink.streaming.api.windowing.assigners.WindowAssigner;
import org.apache.flink.streaming.api.windowing.windows.TimeWindow;
import org.apache.flink.util.Collector;

/** The same windows over the same readings by Flink's own operator and by ours. */
final class WindowJobs {

    /** Key, window start, count, minimum, mean; the maximum is only computed. */
    static final TypeInformation<Tuple5<String, Long, Long, Double, Double>> RESULT =
            TypeInformation.of(new TypeHint<>() {});

    private static final TypeInformation<Tuple4<Long, Double, Double, Double>> KEPT =
            TypeInformation.of(new TypeHint<>() {});

    private static final int READINGS_PER_SECOND = 100_000;

    private WindowJobs() {}

    /** A number of a sensor at a time. */
    public static final class Reading {
        public String sensor;
        public long timeMillis;
        public double value;

        public Reading() {}

        Reading(String sensor, long timeMillis, double value) {
            this.sensor = sensor;
            this.timeMillis = timeMillis;
            this.value = value;
        }
    }

    /**
     * Readings whose sensors are picked by a hash of their number, so that both engines see the same
     * stream.
     *
     * @param rows readings in all
     * @param keys sensors
     * @param hotPercent readings in a hundred that come from the first sensor besides its share
     */
    static DataStream<Reading> readings(
            StreamExecutionEnvironment environment, long rows, int keys, int hotPercent) {
        String[] sensors = new String[keys];
        for (int i = 0; i < keys; i++) {
            sensors[i] = "sensor-" + i;
        }
        long perSubtask = Math.max(1, rows / environment.getParallelism());
        int perSubtaskSecond = READINGS_PER_SECOND / environment.getParallelism();
        GeneratorFunction<Long, Reading> generator =
                number -> {
                    long hash = mix(number);
                    boolean hot = Long.remainderUnsigned(hash, 100) < hotPercent;
                    int sensor = hot ? 0 : (int) Long.remainderUnsigned(hash >>> 8, keys);
                    long millis = number % perSubtask * 1000 / perSubtaskSecond;
                    return new Reading(sensors[sensor], millis, (hash >>> 40) / 1024.0);
                };
        DataGeneratorSource<Reading> source =
                new DataGeneratorSource<>(generator, rows, TypeInformation.of(Reading.class));
        return environment.fromSource(
                source,
                WatermarkStrategy.<Reading>forMonotonousTimestamps()
                        .withTimestampAssigner((reading, time) -> reading.timeMillis),
                "readings");
    }

    static DataStream<Tuple5<String, Long, Long, Double, Double>> flink(
            DataStream<Reading> readings, WindowAssigner<Object, TimeWindow> windows) {
        return readings.keyBy(reading -> reading.sensor, Types.STRING)
                .window(windows)
                .aggregate(new PlainAggregate(), new AddKeyAndWindow(), KEPT, KEPT, RESULT);
    }

    static DataStream<Tuple5<String, Long, Long, Double, Double>> ours(
            DataStream<Reading> readings,
            WindowAssigner<Object, TimeWindow> windows,
            boolean localAggregation) {
        return GpuStreams.on(readings)
                .withOptions(GpuOptions.DEFAULT.withBackend(BackendChoice.CPU))
                .keyBy(reading -> reading.sensor, Types.STRING)
                .window(windows)
                .localAggregation(localAggregation)
                .aggregate(
                        Aggregates.of((Reading reading) -> reading.value)
                                .count()
                                .min()
                                .mean()
                                .max(),
                        result ->
                                Tuple5.of(
                                        result.key(),
                                        result.startMillis(),
                                        result.values().getLong(0),
                                        result.values().getDouble(1),
                                        result.values().getDouble(2)),
                        RESULT);
    }

    private static long mix(long number) {
        long z = number * 0x9E3779B97F4A7C15L;
        z = (z ^ z >>> 30) * 0xBF58476D1CE4E5B9L;
        z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
        return z ^ z >>> 31;
    }

    /** What one writes by hand: count, sum, minimum and maximum, the sum a rounded double. */
    private static final class PlainAggregate
            implements AggregateFunction<
                    Reading,
                    Tuple4<Long, Double, Double, Double>,
                    Tuple4<Long, Double, Double, Double>> {

        private static final long serialVersionUID = 1L;

        @Override
        public Tuple4<Long, Double, Double, Double> createAccumulator() {
            return Tuple4.of(0L, 0.0, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY);
        }

        @Override
        public Tuple4<Long, Double, Double, Double> add(
                Reading reading, Tuple4<Long, Double, Double, Double> kept) {
            kept.f0++;
            kept.f1 += reading.value;
            kept.f2 = Math.min(kept.f2, reading.value);
            kept.f3 = Math.max(kept.f3, reading.value);
            return kept;
        }

        @Override
        public Tuple4<Long, Double, Double, Double> getResult(
                Tuple4<Long, Double, Double, Double> kept) {
            return kept;
        }

        @Override
        public Tuple4<Long, Double, Double, Double> merge(
                Tuple4<Long, Double, Double, Double> a, Tuple4<Long, Double, Double, Double> b) {
            return Tuple4.of(a.f0 + b.f0, a.f1 + b.f1, Math.min(a.f2, b.f2), Math.max(a.f3, b.f3));
        }
    }

    private static final class AddKeyAndWindow
            extends ProcessWindowFunction<
                    Tuple4<Long, Double, Double, Double>,
                    Tuple5<String, Long, Long, Double, Double>,
                    String,
                    TimeWindow> {

        private static final long serialVersionUID = 1L;

        @Override
        public void process(
                String key,
                Context context,
                Iterable<Tuple4<Long, Double, Double, Double>> values,
                Collector<Tuple5<String, Long, Long, Double, Double>> out) {
            Tuple4<Long, Double, Double, Double> kept = values.iterator().next();
            out.collect(
                    Tuple5.of(
                            key, context.window().getStart(), kept.f0, kept.f2, kept.f1 / kept.f0));
        }
    }
}
