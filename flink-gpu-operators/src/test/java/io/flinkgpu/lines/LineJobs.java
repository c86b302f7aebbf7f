package io.flinkgpu.lines;

import io.flinkgpu.ResultText;
import io.flinkgpu.api.BackendChoice;
import io.flinkgpu.api.BatchPolicy;
import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.api.Lines;
import io.flinkgpu.api.WindowResult;
import io.flinkgpu.source.LineFiles;

import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.core.fs.Path;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.windowing.assigners.SlidingEventTimeWindows;
import org.apache.flink.streaming.api.windowing.assigners.TumblingEventTimeWindows;
import org.apache.flink.streaming.api.windowing.assigners.WindowAssigner;
import org.apache.flink.streaming.api.windowing.windows.TimeWindow;
import org.apache.flink.types.Row;
import org.apache.flink.util.CloseableIterator;

import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Parts of jobs on lines, and what their results are to be. */
final class LineJobs {

    static final Function<Long, Collection<TimeWindow>> ALL_TIME =
            time -> List.of(new TimeWindow(Long.MIN_VALUE, Long.MAX_VALUE));

    static WindowAssigner<Object, TimeWindow> windows(long size, long slide) {
        return size == slide
                ? TumblingEventTimeWindows.of(Duration.ofMillis(size))
                : SlidingEventTimeWindows.of(Duration.ofMillis(size), Duration.ofMillis(slide));
    }

    static Function<Long, Collection<TimeWindow>> assigner(long size, long slide) {
        SlidingEventTimeWindows windows =
                SlidingEventTimeWindows.of(Duration.ofMillis(size), Duration.ofMillis(slide));
        return time -> windows.assignWindows(null, time, null);
    }

    /** The last result of each key and window. */
    static Map<String, String> last(List<WindowResult<String>> results) {
        Map<String, String> last = new TreeMap<>();
        results.forEach(result -> last.put(Trades.name(result), ResultText.of(result)));
        return last;
    }

    static <X> List<X> all(CloseableIterator<X> iterator) throws Exception {
        List<X> all = new ArrayList<>();
        try {
            iterator.forEachRemaining(all::add);
        } finally {
            iterator.close();
        }
        return all;
    }

    static DataStream<? extends Lines> source(
            StreamExecutionEnvironment env, LineFiles files, boolean ranges) {
        return ranges
                ? env.fromSource(files.ranges(), WatermarkStrategy.noWatermarks(), "ranges")
                : env.fromSource(files.chunks(), WatermarkStrategy.noWatermarks(), "chunks");
    }

    static StreamExecutionEnvironment environment(int parallelism, Configuration config) {
        config.set(PipelineOptions.GENERIC_TYPES, false);
        return StreamExecutionEnvironment.getExecutionEnvironment(config)
                .setParallelism(parallelism);
    }

    static GpuOptions options(BatchPolicy policy) {
        return GpuOptions.DEFAULT.withBackend(BackendChoice.CPU).withBatchPolicy(policy);
    }

    /** The file of a test's lines. */
    static Path path(java.nio.file.Path directory) {
        return new Path(directory.resolve("trades.csv").toUri());
    }

    static void write(
            java.nio.file.Path directory, List<Row> rows, String lineEnd, boolean terminated)
            throws IOException {
        String text = rows.stream().map(Trades::line).collect(Collectors.joining(lineEnd));
        Files.writeString(directory.resolve("trades.csv"), terminated ? text + lineEnd : text);
    }

    private LineJobs() {}
}
