package io.flinkgpu.applications;

import io.flinkgpu.GpuStreams;
import io.flinkgpu.api.AggregateValues;
import io.flinkgpu.api.Aggregates;
import io.flinkgpu.api.ColumnType;
import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.api.LineChunk;
import io.flinkgpu.api.WindowResult;

import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.serialization.SimpleStringEncoder;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.connector.file.sink.FileSink;
import org.apache.flink.core.fs.Path;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.functions.sink.filesystem.bucketassigners.BasePathBucketAssigner;
import org.apache.flink.streaming.api.functions.sink.filesystem.rollingpolicies.OnCheckpointRollingPolicy;
import org.apache.flink.streaming.api.windowing.assigners.TumblingEventTimeWindows;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;

/**
 * Latencies that redacted lines tell, per service and 10 s of the lines' own time. Files are read in any
 * order, so all windows stay open until the input ends, and no line is late.
 */
final class LogStats {

    static final Duration WINDOW = Duration.ofSeconds(10);

    /** A number and an id a row: few bytes beside the redaction's, whose slot this shares. */
    private static final long MEMORY_LIMIT_BYTES = 64L << 20;

    private LogStats() {}

    /**
     * Adds the statistics to a job.
     *
     * @param redacted lines that have been redacted: nothing else is looked at
     * @param services the service of each file's lines that name none, by the file's path; redacted
     * @param folder for tab-separated rows: service, start, end, count, min, mean and max in ms
     */
    static void addTo(
            DataStream<LineChunk> redacted,
            Map<String, String> services,
            GpuOptions options,
            Path folder) {
        DataStream<Latency> latencies =
                redacted.flatMap(new LatencyFinder(services))
                        .returns(TypeInformation.of(Latency.class))
                        .name("latencies")
                        .uid("latencies")
                        .assignTimestampsAndWatermarks(
                                WatermarkStrategy.<Latency>noWatermarks()
                                        .withTimestampAssigner((line, none) -> line.timeMillis()))
                        .uid("times");
        GpuStreams.on(latencies)
                .withOptions(options.withMemoryLimitBytes(MEMORY_LIMIT_BYTES))
                .keyBy(Latency::service)
                .window(TumblingEventTimeWindows.of(WINDOW))
                .aggregate(
                        Aggregates.of(
                                        Latency::millis,
                                        ColumnType.decimal(LogLatency.PRECISION, LogLatency.SCALE))
                                .count()
                                .min()
                                .mean()
                                .max(),
                        LogStats::row,
                        Types.STRING)
                .uid("statistics")
                .sinkTo(
                        FileSink.forRowFormat(folder, new SimpleStringEncoder<String>("UTF-8"))
                                .withBucketAssigner(new BasePathBucketAssigner<>())
                                .withRollingPolicy(OnCheckpointRollingPolicy.build())
                                .build())
                .setParallelism(1)
                .name("statistics files")
                .uid("statistics-files");
    }

    private static String row(WindowResult<String> result) {
        AggregateValues values = result.values();
        return String.join(
                "\t",
                result.key(),
                Instant.ofEpochMilli(result.startMillis()).toString(),
                Instant.ofEpochMilli(result.endMillis()).toString(),
                Long.toString(values.getLong("count")),
                text(values.getDecimal("min")),
                text(values.getDecimal("mean")),
                text(values.getDecimal("max")));
    }

    private static String text(BigDecimal millis) {
        return millis.stripTrailingZeros().toPlainString();
    }
}
