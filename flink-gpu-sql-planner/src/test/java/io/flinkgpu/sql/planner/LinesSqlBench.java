package io.flinkgpu.sql.planner;

import io.flinkgpu.GpuStreams;
import io.flinkgpu.api.Aggregates;
import io.flinkgpu.api.lines.Delimited;
import io.flinkgpu.source.LineFiles;

import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.core.fs.Path;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.streaming.api.windowing.assigners.TumblingEventTimeWindows;
import org.apache.flink.table.api.config.AggregatePhaseStrategy;
import org.apache.flink.table.api.config.OptimizerConfigOptions;

import java.io.BufferedWriter;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * CPU time a line of windows of files of lines: by SQL, with rows in place and without, by Flink's own plan over its
 * connector for CSV, and by the library. Of the whole process; of a job over three times the lines less that of one over
 * a third of them, so that what a job costs by itself is not in it.
 *
 * <p>The first round is of no use, as code is compiled in it.
 *
 * <pre>{@code LinesSqlBench KEYS LINES ROUNDS OBJECT_REUSE WAY..}</pre>
 */
public final class LinesSqlBench {

    private static final int MORE = 3;
    private static final int LINES_A_SECOND = 10_000;

    private LinesSqlBench() {}

    /** How lines are aggregated. */
    private enum Way {
        CSV,
        FLINK,
        UNFUSED,
        FUSED,
        LIBRARY
    }

    /** Runs all in turns. */
    public static void main(String[] args) throws Exception {
        java.nio.file.Path folder = Files.createTempDirectory("lines");
        int keys = Integer.parseInt(args[0]);
        int lines = Integer.parseInt(args[1]);
        java.nio.file.Path few = folder.resolve("few");
        java.nio.file.Path many = folder.resolve("many");
        write(few, keys, lines);
        write(many, keys, MORE * lines);
        boolean reuse = Boolean.parseBoolean(args[3]);
        for (int round = 0; round < Integer.parseInt(args[2]); round++) {
            Map<Way, Long> nanos = new EnumMap<>(Way.class);
            for (String name : List.of(args).subList(4, args.length)) {
                Way way = Way.valueOf(name);
                long base = run(way, few, reuse);
                nanos.put(way, (run(way, many, reuse) - base) / ((MORE - 1L) * lines));
            }
            System.out.println(keys + " keys, object reuse " + reuse + ", CPU ns a line: " + nanos);
        }
    }

    private static void write(java.nio.file.Path file, int keys, int lines) throws IOException {
        Random random = new Random(lines);
        DateTimeFormatter format = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss.SSS");
        LocalDateTime base = LocalDateTime.of(2024, 5, 1, 0, 0);
        try (BufferedWriter writer = Files.newBufferedWriter(file)) {
            for (int i = 0; i < lines; i++) {
                LocalDateTime time = base.plus(Duration.ofMillis(i * 1000L / LINES_A_SECOND));
                writer.write(
                        "station %d;%d;%s\n"
                                .formatted(
                                        random.nextInt(keys),
                                        random.nextInt(1_000_000),
                                        format.format(time)));
            }
        }
    }

    private static long run(Way way, java.nio.file.Path file, boolean reuse) throws Exception {
        Configuration configuration = new Configuration();
        configuration.set(TaskManagerOptions.MANAGED_MEMORY_SIZE, MemorySize.parse("256m"));
        configuration.set(PipelineOptions.OBJECT_REUSE, reuse);
        StreamExecutionEnvironment env =
                StreamExecutionEnvironment.createLocalEnvironment(1, configuration);
        long before = cpuNanos();
        if (way == Way.LIBRARY) {
            library(env, file.toString());
        } else {
            sql(way, env, file.toString());
        }
        return cpuNanos() - before;
    }

    private static void library(StreamExecutionEnvironment env, String file) throws Exception {
        GpuStreams.lines(
                        env.fromSource(
                                LineFiles.of(new Path(file)).chunks(),
                                WatermarkStrategy.noWatermarks(),
                                "lines"),
                        Delimited.of(';').string("k").longNumber("x").isoTimestamp("ts"))
                .eventTime("ts", Duration.ofSeconds(1))
                .keyBy("k")
                .window(TumblingEventTimeWindows.of(Duration.ofSeconds(10)))
                .aggregate(Aggregates.ofField("x").min().max().mean())
                .sinkTo(new DiscardingSink<>());
        env.execute();
    }

    private static void sql(Way way, StreamExecutionEnvironment env, String file) throws Exception {
        Plans plans = new Plans(env);
        var config = plans.tables().getConfig();
        config.set(GpuSqlOptions.ENABLED, way == Way.UNFUSED || way == Way.FUSED);
        if (way == Way.UNFUSED) {
            config.set(GpuSqlOptions.EXCLUDE, List.of(GpuTableSourceScan.KIND));
        }
        config.set(
                OptimizerConfigOptions.TABLE_OPTIMIZER_AGG_PHASE_STRATEGY,
                AggregatePhaseStrategy.TWO_PHASE);
        boolean csv = way == Way.CSV;
        plans.tables()
                .executeSql(
                        ("CREATE TABLE lines (k STRING, x BIGINT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts -"
                                        + " INTERVAL '1' SECOND) WITH (%s)")
                                .formatted(
                                        csv
                                                ? "'connector' = 'filesystem', 'format' = 'csv',"
                                                        + " 'csv.field-delimiter' = ';', 'path' = '"
                                                        + file
                                                        + "'"
                                                : "'connector' = 'gpu-lines', 'separator' = ';', 'path' = '"
                                                        + file
                                                        + "'"));
        plans.tables()
                .executeSql(
                        "CREATE TABLE nothing WITH ('connector' = 'blackhole') AS SELECT k, window_end,"
                                + " MIN(x) AS a, MAX(x) AS b, AVG(x) AS c FROM TABLE(TUMBLE(TABLE lines,"
                                + " DESCRIPTOR(ts), INTERVAL '10' SECOND)) GROUP BY k, window_start,"
                                + " window_end")
                .await();
    }

    private static long cpuNanos() {
        return ((com.sun.management.OperatingSystemMXBean)
                        ManagementFactory.getOperatingSystemMXBean())
                .getProcessCpuTime();
    }
}
