package io.flinkgpu.lines;

import io.flinkgpu.FailsOnce;
import io.flinkgpu.GpuStreams;
import io.flinkgpu.LineStream;
import io.flinkgpu.api.BatchPolicy;
import io.flinkgpu.api.Lines;
import io.flinkgpu.api.WindowResult;
import io.flinkgpu.source.LineFiles;
import io.flinkgpu.testkit.Clusters;

import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.windowing.assigners.GlobalWindows;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.apache.flink.types.Row;

import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import static io.flinkgpu.lines.LineJobs.ALL_TIME;
import static io.flinkgpu.lines.LineJobs.all;
import static io.flinkgpu.lines.LineJobs.assigner;
import static io.flinkgpu.lines.LineJobs.environment;
import static io.flinkgpu.lines.LineJobs.last;
import static io.flinkgpu.lines.LineJobs.options;
import static io.flinkgpu.lines.LineJobs.path;
import static io.flinkgpu.lines.LineJobs.source;
import static io.flinkgpu.lines.LineJobs.windows;
import static io.flinkgpu.lines.LineJobs.write;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * What windows of lines are after a failure.
 *
 * <p>Covers: LineAggregator.
 */
@Timeout(180)
class LineFailuresITCase {

    @RegisterExtension static final MiniClusterExtension CLUSTER = Clusters.ofFourSlots();

    private static final long SEED = Long.getLong("seed", 20_260_301);

    @TempDir java.nio.file.Path directory;

    @ParameterizedTest
    @CsvSource({
        "false, false, 1000",
        "false, false, 0",
        "true, false, 1000",
        "true, false, 0",
        "true, true, 1000",
        "false, true, 0"
    })
    void afterAFailureTheSame(boolean ranges, boolean unaligned, long size) throws Exception {
        FailsOnce.FAILED.set(false);
        List<Row> rows = Trades.rows(2_000, 0, SEED);
        write(directory, rows, "\n", true);
        Configuration config = FailsOnce.restarting(Duration.ofMillis(50), unaligned);
        StreamExecutionEnvironment env = environment(2, config);
        DataStream<? extends Lines> lines =
                failing(
                        source(
                                env,
                                LineFiles.of(path(directory)).splitBytes(200).chunkBytes(50),
                                ranges));
        LineStream stream =
                GpuStreams.lines(lines, Trades.FORMAT)
                        .withOptions(options(BatchPolicy.DEFAULT.withMaxBytes(500)))
                        .eventTime("time", Duration.ofSeconds(5));
        List<WindowResult<String>> results =
                all(
                        stream.keyBy("key")
                                .window(
                                        size == 0
                                                ? GlobalWindows.createWithEndOfStreamTrigger()
                                                : windows(size, size))
                                .aggregate(Trades.BY_FIELD)
                                .executeAndCollect());
        assertThat(FailsOnce.FAILED).isTrue();
        Map<String, String> expected =
                Trades.windows(rows, size == 0 ? ALL_TIME : assigner(size, size));
        assertThat(results).hasSameSizeAs(expected.keySet());
        assertThat(last(results)).as("seed=" + SEED).isEqualTo(expected);
    }

    private static <L extends Lines> DataStream<L> failing(DataStream<L> lines) {
        return lines.map(new FailsOnce<L>(50, Integer.MAX_VALUE)).returns(lines.getType());
    }
}
