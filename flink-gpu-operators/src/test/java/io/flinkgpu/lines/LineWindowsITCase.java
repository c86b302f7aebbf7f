package io.flinkgpu.lines;

import io.flinkgpu.ExactAggregate;
import io.flinkgpu.GpuStreams;
import io.flinkgpu.LineStream;
import io.flinkgpu.api.BackendChoice;
import io.flinkgpu.api.BatchPolicy;
import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.api.Lines;
import io.flinkgpu.api.WindowResult;
import io.flinkgpu.oracle.Clusters;
import io.flinkgpu.source.LineFiles;

import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.api.common.state.CheckpointListener;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.core.fs.Path;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.streaming.api.windowing.assigners.GlobalWindows;
import org.apache.flink.streaming.api.windowing.assigners.SlidingEventTimeWindows;
import org.apache.flink.streaming.api.windowing.assigners.TumblingEventTimeWindows;
import org.apache.flink.streaming.api.windowing.assigners.WindowAssigner;
import org.apache.flink.streaming.api.windowing.windows.TimeWindow;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.apache.flink.types.Row;
import org.apache.flink.util.CloseableIterator;
import org.apache.flink.util.OutputTag;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.stream.Collectors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Windows of lines are those of rows by Flink's own operator: result for result where nothing depends on
 * what comes first, and else in the end, less the lines that were too late.
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
        write(rows, "\n", false);
        BatchPolicy oneChunk = BatchPolicy.DEFAULT.withMaxRows(1);
        WindowAssigner<Object, TimeWindow> windows = windows(size, slide);
        Outcome ours =
                ours(1, LineFiles.of(path()).chunkBytes(900), false, oneChunk, windows, lateness);
        Outcome flinks = flinks(LineFiles.of(path()).chunkBytes(900), windows, lateness);
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
        write(rows, "\r\n", true);
        Outcome outcome =
                ours(
                        parallelism,
                        LineFiles.of(path()).splitBytes(splitBytes).chunkBytes(batchBytes / 2),
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
        write(rows, "\n", terminated);
        StreamExecutionEnvironment env = environment(parallelism, new Configuration());
        LineFiles files =
                LineFiles.of(path()).splitBytes(splitBytes).chunkBytes(Math.max(1, batchBytes / 3));
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
        write(rows, "\n", true);
        Configuration config = new Configuration();
        config.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, Duration.ofMillis(50));
        config.set(CheckpointingOptions.ENABLE_UNALIGNED, unaligned);
        // Without a timeout Flink 2.3 may lose a split, see docs/files.md.
        config.set(CheckpointingOptions.ALIGNED_CHECKPOINT_TIMEOUT, Duration.ofMillis(1));
        config.set(RestartStrategyOptions.RESTART_STRATEGY, "fixed-delay");
        config.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_ATTEMPTS, 1);
        config.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_DELAY, Duration.ofMillis(1));
        StreamExecutionEnvironment env = environment(2, config);
        DataStream<? extends Lines> lines =
                failing(source(env, LineFiles.of(path()).splitBytes(200).chunkBytes(50), ranges));
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

    /** Flink 2.3 would lose a split now and then. */
    @Test
    void unalignedCheckpointsNeedATimeout() throws Exception {
        write(Trades.rows(10, 0, SEED), "\n", true);
        Configuration config = new Configuration();
        config.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, Duration.ofMillis(50));
        config.set(CheckpointingOptions.ENABLE_UNALIGNED, true);
        config.set(RestartStrategyOptions.RESTART_STRATEGY, "none");
        StreamExecutionEnvironment env = environment(1, config);
        GpuStreams.lines(source(env, LineFiles.of(path()), true), Trades.FORMAT)
                .withOptions(options(BatchPolicy.DEFAULT))
                .keyBy("key")
                .window(GlobalWindows.createWithEndOfStreamTrigger())
                .aggregate(Trades.BY_FIELD)
                .sinkTo(new DiscardingSink<>());
        assertThatThrownBy(env::execute)
                .rootCause()
                .hasMessageContaining(
                        "execution.checkpointing.aligned-checkpoint-timeout=0; set it");
    }

    private static final Function<Long, Collection<TimeWindow>> ALL_TIME =
            time -> List.of(new TimeWindow(Long.MIN_VALUE, Long.MAX_VALUE));

    private static WindowAssigner<Object, TimeWindow> windows(long size, long slide) {
        return size == slide
                ? TumblingEventTimeWindows.of(Duration.ofMillis(size))
                : SlidingEventTimeWindows.of(Duration.ofMillis(size), Duration.ofMillis(slide));
    }

    private static Function<Long, Collection<TimeWindow>> assigner(long size, long slide) {
        SlidingEventTimeWindows windows =
                SlidingEventTimeWindows.of(Duration.ofMillis(size), Duration.ofMillis(slide));
        return time -> windows.assignWindows(null, time, null);
    }

    /** The last result of each key and window. */
    private static Map<String, String> last(List<WindowResult<String>> results) {
        Map<String, String> last = new TreeMap<>();
        results.forEach(result -> last.put(Trades.name(result), result.toString()));
        return last;
    }

    /** Which results came how often; several of a watermark come in any order. */
    private static Map<String, Long> shown(List<WindowResult<String>> results) {
        return new HashMap<>(
                results.stream()
                        .collect(
                                Collectors.groupingBy(
                                        WindowResult::toString, Collectors.counting())));
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

    private static <X> List<X> all(CloseableIterator<X> iterator) throws Exception {
        List<X> all = new ArrayList<>();
        try {
            iterator.forEachRemaining(all::add);
        } finally {
            iterator.close();
        }
        return all;
    }

    private static DataStream<? extends Lines> source(
            StreamExecutionEnvironment env, LineFiles files, boolean ranges) {
        return ranges
                ? env.fromSource(files.ranges(), WatermarkStrategy.noWatermarks(), "ranges")
                : env.fromSource(files.chunks(), WatermarkStrategy.noWatermarks(), "chunks");
    }

    private static <L extends Lines> DataStream<L> failing(DataStream<L> lines) {
        return lines.map(new FailsOnce<L>()).returns(lines.getType());
    }

    private static StreamExecutionEnvironment environment(int parallelism, Configuration config) {
        config.set(PipelineOptions.GENERIC_TYPES, false);
        return StreamExecutionEnvironment.getExecutionEnvironment(config)
                .setParallelism(parallelism);
    }

    private static GpuOptions options(BatchPolicy policy) {
        return GpuOptions.DEFAULT.withBackend(BackendChoice.CPU).withBatchPolicy(policy);
    }

    private Path path() {
        return new Path(directory.resolve("trades.csv").toUri());
    }

    private void write(List<Row> rows, String lineEnd, boolean terminated) throws IOException {
        String text = rows.stream().map(Trades::line).collect(Collectors.joining(lineEnd));
        Files.writeString(directory.resolve("trades.csv"), terminated ? text + lineEnd : text);
    }

    /** Passes lines on, slowly, and fails once, some time after a checkpoint completed. */
    private static final class FailsOnce<L> implements MapFunction<L, L>, CheckpointListener {

        private static final long serialVersionUID = 1L;

        static final AtomicBoolean FAILED = new AtomicBoolean();

        private int linesLeft = Integer.MAX_VALUE;

        @Override
        public L map(L lines) throws InterruptedException {
            Thread.sleep(1);
            if (linesLeft-- == 0 && FAILED.compareAndSet(false, true)) {
                throw new IllegalStateException("fails once");
            }
            return lines;
        }

        @Override
        public void notifyCheckpointComplete(long checkpointId) {
            linesLeft = Math.min(linesLeft, 50);
        }
    }
}
