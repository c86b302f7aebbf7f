package io.flinkgpu.lines;

import io.flinkgpu.ExactAggregate;
import io.flinkgpu.GpuStreams;
import io.flinkgpu.ResultText;
import io.flinkgpu.api.BatchPolicy;
import io.flinkgpu.api.WindowResult;
import io.flinkgpu.source.LineFiles;
import io.flinkgpu.testkit.Clusters;

import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.windowing.assigners.GlobalWindows;
import org.apache.flink.streaming.api.windowing.assigners.WindowAssigner;
import org.apache.flink.streaming.api.windowing.windows.TimeWindow;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.apache.flink.types.Row;
import org.apache.flink.util.CloseableIterator;
import org.apache.flink.util.OutputTag;

import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

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
 * Windows of lines are those of rows by Flink's own operator: result for result where nothing depends on
 * what comes first, and else in the end, less the lines that were too late.
 *
 * <p>Covers: WindowedLineStream.
 */
@Timeout(180)
class LineWindowsITCase {

    @RegisterExtension static final MiniClusterExtension CLUSTER = Clusters.ofFourSlots();

    private static final long SEED = Long.getLong("seed", 20_260_301);
    private static final Duration OUT_OF_ORDER = Duration.ofMillis(300);
    private static final OutputTag<Row> LATE =
            new OutputTag<>(
                    "late",
                    Types.ROW_NAMED(
                            new String[] {"key", "time", "number", "ratio", "price"},
                            Types.STRING,
                            Types.LONG,
                            Types.LONG,
                            Types.DOUBLE,
                            Types.BIG_DEC));

    @TempDir java.nio.file.Path directory;

    /** Results and late rows, in the order they came. */
    private record Outcome(List<WindowResult<String>> results, List<Row> late) {}

    /** One subtask, and a batch for each chunk: everything happens at the same lines. */
    @ParameterizedTest
    @CsvSource({
        "1000, 1000, 0",
        "1000, 1000, 5000",
        "3000, 1000, 0",
        "3000, 2000, 4000",
        "700, 1000, 2000"
    })
    void oneChunkAtATimeIsFlinksOwnStepByStep(long size, long slide, long lateness)
            throws Exception {
        List<Row> rows = Trades.rows(3_000, 5, SEED);
        write(directory, rows, "\n", false);
        BatchPolicy oneChunk = BatchPolicy.DEFAULT.withMaxRows(1);
        WindowAssigner<Object, TimeWindow> windows = windows(size, slide);
        Outcome ours =
                ours(
                        1,
                        LineFiles.of(path(directory)).chunkBytes(900),
                        false,
                        oneChunk,
                        windows,
                        lateness);
        Outcome flinks = flinks(LineFiles.of(path(directory)).chunkBytes(900), windows, lateness);
        assertThat(flinks.late).as("late lines, or the test shows little").isNotEmpty();
        assertThat(shown(ours.results)).as("seed=" + SEED).isEqualTo(shown(flinks.results));
        assertThat(ours.late).as("seed=" + SEED).isEqualTo(flinks.late);
    }

    @ParameterizedTest
    @CsvSource({
        "1, 1000, 1000, 5000, 300, 900, false",
        "3, 1000, 1000, 0, 1, 900, false",
        "2, 3000, 1000, 2000, 5000, 2000, true",
        "4, 700, 1000, 30000, 400, 50, true",
        "3, 2000, 500, 30000, 3000, 64, false"
    })
    void allLinesAreInTheirWindowsOrLate(
            int parallelism,
            long size,
            long slide,
            long lateness,
            int splitBytes,
            int batchBytes,
            boolean ranges)
            throws Exception {
        List<Row> rows = Trades.rows(splitBytes == 1 ? 50 : 1_000, 5, SEED);
        write(directory, rows, "\r\n", true);
        Outcome outcome =
                ours(
                        parallelism,
                        LineFiles.of(path(directory))
                                .splitBytes(splitBytes)
                                .chunkBytes(batchBytes / 2),
                        ranges,
                        BatchPolicy.DEFAULT.withMaxBytes(batchBytes),
                        windows(size, slide),
                        lateness);
        List<String> onTime = new ArrayList<>(rows.stream().map(Trades::line).toList());
        outcome.late.forEach(row -> assertThat(onTime.remove(Trades.line(row))).isTrue());
        List<Row> kept = rows.stream().filter(row -> onTime.remove(Trades.line(row))).toList();
        if (lateness == 30_000) {
            assertThat(outcome.late).isEmpty();
        }
        // With windows that overlap, a late line can still be in the last of its windows.
        if (size <= slide || lateness == 30_000) {
            assertThat(last(outcome.results))
                    .as("seed=" + SEED)
                    .isEqualTo(Trades.windows(kept, assigner(size, slide)));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "1, 1000000, 900, false, true",
        "1, 1, 900, true, false",
        "4, 1, 33, true, true",
        "3, 7, 50, false, false",
        "2, 1000, 5000, true, true",
        "4, 30000, 10000, false, true"
    })
    void theWindowToTheEndOfTheStreamHasAllLines(
            int parallelism, int splitBytes, int batchBytes, boolean ranges, boolean terminated)
            throws Exception {
        List<Row> rows = Trades.rows(splitBytes == 1 ? 50 : 1_000, 5, SEED);
        write(directory, rows, "\n", terminated);
        StreamExecutionEnvironment env = environment(parallelism, new Configuration());
        LineFiles files =
                LineFiles.of(path(directory))
                        .splitBytes(splitBytes)
                        .chunkBytes(Math.max(1, batchBytes / 3));
        List<WindowResult<String>> results =
                all(
                        GpuStreams.lines(source(env, files, ranges), Trades.FORMAT)
                                .withOptions(options(BatchPolicy.DEFAULT.withMaxBytes(batchBytes)))
                                .keyBy("key")
                                .window(GlobalWindows.createWithEndOfStreamTrigger())
                                .aggregate(Trades.BY_FIELD)
                                .executeAndCollect());
        assertThat(last(results)).as("seed=" + SEED).isEqualTo(Trades.windows(rows, ALL_TIME));
    }

    /** Which results came how often; several of a watermark come in any order. */
    private static Map<String, Long> shown(List<WindowResult<String>> results) {
        return new HashMap<>(
                results.stream()
                        .collect(Collectors.groupingBy(ResultText::of, Collectors.counting())));
    }

    private Outcome ours(
            int parallelism,
            LineFiles files,
            boolean ranges,
            BatchPolicy policy,
            WindowAssigner<Object, TimeWindow> windows,
            long lateness)
            throws Exception {
        StreamExecutionEnvironment env = environment(parallelism, new Configuration());
        return outcome(
                env,
                GpuStreams.lines(source(env, files, ranges), Trades.FORMAT)
                        .withOptions(options(policy))
                        .eventTime("time", OUT_OF_ORDER)
                        .keyBy("key")
                        .window(windows)
                        .allowedLateness(Duration.ofMillis(lateness))
                        .sideOutputLateData(LATE)
                        .aggregate(Trades.BY_FIELD));
    }

    private Outcome flinks(
            LineFiles files, WindowAssigner<Object, TimeWindow> windows, long lateness)
            throws Exception {
        StreamExecutionEnvironment env = environment(1, new Configuration());
        ExactAggregate<Row> exact = new ExactAggregate<>(Trades.BY_GETTER);
        return outcome(
                env,
                GpuStreams.lines(source(env, files, false), Trades.FORMAT)
                        .eventTime("time", OUT_OF_ORDER)
                        .rows()
                        .keyBy(row -> row.<String>getFieldAs("key"), Types.STRING)
                        .window(windows)
                        .allowedLateness(Duration.ofMillis(lateness))
                        .sideOutputLateData(LATE)
                        .aggregate(
                                exact,
                                exact.toResult(),
                                exact.accumulatorType(),
                                exact.resultType(Types.STRING)));
    }

    private static Outcome outcome(
            StreamExecutionEnvironment env, SingleOutputStreamOperator<WindowResult<String>> stream)
            throws Exception {
        CloseableIterator<WindowResult<String>> results = stream.collectAsync();
        CloseableIterator<Row> late = stream.getSideOutput(LATE).collectAsync();
        env.executeAsync();
        return new Outcome(all(results), all(late));
    }
}
