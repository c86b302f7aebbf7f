package io.flinkgpu.examples;

import io.flinkgpu.GpuStreams;
import io.flinkgpu.api.Aggregates;
import io.flinkgpu.api.LineRange;
import io.flinkgpu.api.lines.Delimited;
import io.flinkgpu.source.LineFiles;

import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.core.fs.Path;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.windowing.assigners.GlobalWindows;

import java.nio.file.Files;

/** Totals of lines such as {@code roof;31.0}: of the file that is the first argument, or of one that is made up. */
public final class LinesOfFiles {

    private LinesOfFiles() {}

    public static void main(String[] args) throws Exception {
        java.nio.file.Path file =
                args.length > 0
                        ? java.nio.file.Path.of(args[0])
                        : Files.createTempFile("lines", ".txt");
        if (args.length == 0) {
            Files.writeString(file, "cellar;12.5\nroof;31.0\nroof;30.1\n");
        }
        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment();
        env.setParallelism(1);
        DataStream<LineRange> lines =
                env.fromSource(
                        LineFiles.of(new Path(file.toUri())).ranges(),
                        WatermarkStrategy.noWatermarks(),
                        "lines");
        GpuStreams.lines(lines, Delimited.of(';').string("station").decimal("temperature", 1))
                .keyBy("station")
                .window(GlobalWindows.createWithEndOfStreamTrigger())
                .aggregate(Aggregates.ofField("temperature").min().mean().max().count())
                .map(
                        w ->
                                String.join(
                                        " ",
                                        w.key(),
                                        "" + w.values().getDecimal("temperature_min"),
                                        "" + w.values().getDouble("temperature_mean"),
                                        "" + w.values().getLong("temperature_count")))
                .print();
        env.execute("lines of files");
    }
}
