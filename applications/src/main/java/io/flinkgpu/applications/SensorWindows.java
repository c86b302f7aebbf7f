package io.flinkgpu.applications;

import io.flinkgpu.GpuStreams;
import io.flinkgpu.api.Aggregates;
import io.flinkgpu.api.ColumnType;
import io.flinkgpu.api.GpuOptions;

import org.apache.flink.api.common.JobExecutionResult;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.streaming.api.windowing.assigners.SlidingEventTimeWindows;
import org.apache.flink.streaming.api.windowing.assigners.TumblingEventTimeWindows;
import org.apache.flink.streaming.api.windowing.assigners.WindowAssigner;
import org.apache.flink.util.CloseableIterator;
import org.apache.flink.util.OutputTag;

import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;

/**
 * Tumbling and sliding windows of sensor readings that come out of order, some of them too late. Exit
 * codes: 0 done, 1 the job failed, 2 the caller's mistake.
 */
public final class SensorWindows {

    private static final String NAME = "sensor-windows";
    private static final TypeInformation<Reading> READING = TypeInformation.of(Reading.class);
    private static final OutputTag<Reading> LATE = new OutputTag<>("late", READING);

    private SensorWindows() {}

    public static void main(String[] args) {
        Environments.exit(NAME, run(args, System.out, System.err));
    }

    /**
     * Runs the whole example.
     *
     * @return the exit code
     */
    static int run(String[] args, PrintStream out, PrintStream err) {
        return CommandLine.run(NAME, out, err, () -> aggregate(SensorOptions.parse(args), out));
    }

    private static void aggregate(SensorOptions options, PrintStream out) throws Exception {
        // No checkpoints: a collected result would wait for the next one.
        StreamExecutionEnvironment env =
                Environments.of(new Configuration(), options.parallelism(), 0);
        try (LocalBackend backend = LocalBackend.of(env, options.backend())) {
            aggregate(env, backend, options, out);
        }
    }

    private static void aggregate(
            StreamExecutionEnvironment env,
            LocalBackend backend,
            SensorOptions options,
            PrintStream out)
            throws Exception {
        GpuOptions gpuOptions = GpuOptions.DEFAULT.withBackend(backend.choice());
        DataStream<Reading> readings = readings(env, options);
        DataStream<WindowRow> tumbling =
                windows(
                        "Tumbling windows of " + text(options.window()),
                        "tumbling",
                        TumblingEventTimeWindows.of(options.window()),
                        readings,
                        options.lateness(),
                        gpuOptions);
        DataStream<WindowRow> sliding =
                windows(
                        "Windows of " + text(options.window()) + " each " + text(options.slide()),
                        "sliding",
                        SlidingEventTimeWindows.of(options.window(), options.slide()),
                        readings,
                        options.lateness(),
                        gpuOptions);
        WindowTables tables = new WindowTables();
        CloseableIterator<WindowRow> rows = tumbling.union(sliding).collectAsync();
        JobExecutionResult result;
        try {
            JobClient job = env.executeAsync(NAME);
            rows.forEachRemaining(tables::add);
            result = job.getJobExecutionResult().get();
        } finally {
            rows.close();
        }
        tables.print(out);
        report(result, options.rows(), backend.description(), env.getParallelism(), out);
    }

    /** The readings of one source, so that their order is the same each time. */
    private static DataStream<Reading> readings(
            StreamExecutionEnvironment env, SensorOptions options) {
        WatermarkStrategy<Reading> bounded =
                WatermarkStrategy.forBoundedOutOfOrderness(Duration.ofSeconds(5));
        return env.fromSequence(0, options.rows() - 1L)
                .setParallelism(1)
                .map(new Readings(options.rows(), options.sensors()))
                .returns(READING)
                .setParallelism(1)
                .assignTimestampsAndWatermarks(
                        WatermarkStrategy.<Reading>forGenerator(
                                        context ->
                                                new EventSeconds<>(
                                                        bounded.createWatermarkGenerator(context)))
                                .withTimestampAssigner((reading, before) -> reading.timeMillis()))
                .setParallelism(1);
    }

    private static DataStream<WindowRow> windows(
            String title,
            String kind,
            WindowAssigner<Object, ?> assigner,
            DataStream<Reading> readings,
            Duration lateness,
            GpuOptions options) {
        SingleOutputStreamOperator<WindowRow> rows =
                GpuStreams.on(readings)
                        .withOptions(options)
                        .keyBy(Reading::sensor)
                        .window(assigner)
                        .allowedLateness(lateness)
                        .sideOutputLateData(LATE)
                        .aggregate(
                                Aggregates.of(Reading::temperature)
                                        .named("temperature")
                                        .min()
                                        .mean()
                                        .max()
                                        .count()
                                        .and(Reading::humidity, ColumnType.INT)
                                        .named("humidity")
                                        .mean(),
                                result -> WindowRow.of(title, result),
                                TypeInformation.of(WindowRow.class))
                        .uid(kind);
        rows.getSideOutput(LATE)
                .map(new Counting<>(Counters.late(kind)))
                .returns(READING)
                .sinkTo(new DiscardingSink<>());
        return rows;
    }

    private static String text(Duration duration) {
        return duration.toMillis() % 1000 == 0
                ? duration.toSeconds() + " s"
                : duration.toMillis() + " ms";
    }

    private static void report(
            JobExecutionResult result, int rows, String backend, int parallelism, PrintStream out) {
        out.println();
        out.printf(
                Locale.ROOT,
                "Too late, to the side output: %,d readings of the tumbling windows, %,d of the"
                        + " sliding ones%n",
                Counters.count(result, Counters.late("tumbling")),
                Counters.count(result, Counters.late("sliding")));
        Report.rows(result, rows, backend, parallelism, out);
    }
}
