package io.flinkgpu.lines;

import io.flinkgpu.FailsOnce;
import io.flinkgpu.GpuStreams;
import io.flinkgpu.LineStream;
import io.flinkgpu.ResultText;
import io.flinkgpu.api.BatchPolicy;
import io.flinkgpu.api.Lines;
import io.flinkgpu.api.WindowResult;
import io.flinkgpu.operator.lines.LineRows;
import io.flinkgpu.source.LineFiles;
import io.flinkgpu.testkit.Clusters;
import io.flinkgpu.testkit.Savepoints;

import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.StateBackendOptions;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.streaming.api.windowing.assigners.GlobalWindows;
import org.apache.flink.streaming.api.windowing.assigners.WindowAssigner;
import org.apache.flink.streaming.api.windowing.windows.TimeWindow;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.apache.flink.types.Row;
import org.apache.flink.util.OutputTag;

import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

import static io.flinkgpu.lines.LineJobs.all;
import static io.flinkgpu.lines.LineJobs.environment;
import static io.flinkgpu.lines.LineJobs.last;
import static io.flinkgpu.lines.LineJobs.options;
import static io.flinkgpu.lines.LineJobs.path;
import static io.flinkgpu.lines.LineJobs.source;
import static io.flinkgpu.lines.LineJobs.windows;
import static io.flinkgpu.lines.LineJobs.write;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Rows that are chosen, texts and sketches of lines by field are those of the lines' rows, window by window:
 * at any parallelism, after a failure, and from a savepoint on with another parallelism.
 *
 * <p>Covers: LineRows.
 */
@Timeout(180)
class LineCellsITCase {

    @RegisterExtension static final MiniClusterExtension CLUSTER = Clusters.ofFourSlots();

    private static final long SEED = Long.getLong("seed", System.nanoTime());
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final AtomicInteger SEEN = new AtomicInteger();
    private static final Queue<String> RESULTS = new ConcurrentLinkedQueue<>();

    @TempDir java.nio.file.Path directory;

    /** Lines are at most 20 s late, and windows wait as long: the last result of each has all of them. */
    @RepeatedTest(8)
    void theLastResultsAreThoseOfRows(RepetitionInfo repetition) throws Exception {
        long seed = SEED + repetition.getCurrentRepetition();
        Random random = new Random(seed);
        write(directory, Trades.rows(800, 5, seed), "\r\n", random.nextBoolean());
        WindowAssigner<Object, TimeWindow> windows =
                switch (random.nextInt(3)) {
                    case 0 -> windows(1_000, 1_000);
                    case 1 -> windows(700, 1_000);
                    default -> windows(3_000, 1_000);
                };
        LineFiles files =
                LineFiles.of(path(directory))
                        .splitBytes(1 + random.nextInt(9_000))
                        .chunkBytes(1 + random.nextInt(900));
        LineStream lines =
                GpuStreams.lines(
                                source(
                                        environment(1 + random.nextInt(4), new Configuration()),
                                        files,
                                        random.nextBoolean()),
                                Trades.FORMAT)
                        .withOptions(options(BatchPolicy.DEFAULT))
                        .eventTime("time", Duration.ofMillis(300));
        LineCells cells = LineCells.random(random, true);
        List<WindowResult<String>> results =
                all(
                        lines.keyBy("key")
                                .window(windows)
                                .allowedLateness(LONG)
                                .aggregate(cells.byField())
                                .executeAndCollect());
        assertThat(last(results)).as("seed=%d, %s", seed, cells).isEqualTo(ofRows(cells, windows));
    }

    @RepeatedTest(4)
    void theWindowToTheEndOfTheStreamHasAllLines(RepetitionInfo repetition) throws Exception {
        long seed = SEED + 100 + repetition.getCurrentRepetition();
        Random random = new Random(seed);
        write(directory, Trades.rows(800, 5, seed), "\n", true);
        LineFiles files = LineFiles.of(path(directory)).splitBytes(1 + random.nextInt(9_000));
        boolean hasTime = random.nextBoolean();
        LineStream lines =
                GpuStreams.lines(
                                source(
                                        environment(1 + random.nextInt(4), new Configuration()),
                                        files,
                                        random.nextBoolean()),
                                Trades.FORMAT)
                        .withOptions(options(BatchPolicy.DEFAULT));
        LineCells cells = LineCells.random(random, hasTime);
        GlobalWindows windows = GlobalWindows.createWithEndOfStreamTrigger();
        List<WindowResult<String>> results =
                all(
                        (hasTime ? lines.eventTime("time", Duration.ZERO) : lines)
                                .keyBy("key")
                                .window(windows)
                                .aggregate(cells.byField())
                                .executeAndCollect());
        assertThat(last(results)).as("seed=%d, %s", seed, cells).isEqualTo(ofRows(cells, windows));
    }

    /** One subtask, chunk by chunk: the same lines are late, and each result is the same. */
    @Test
    void lateLinesAreThoseOfRows() throws Exception {
        write(directory, Trades.rows(2_000, 5, SEED), "\n", true);
        OutputTag<Row> late = new OutputTag<>("late", LineRows.type(Trades.FORMAT));
        LineCells cells = LineCells.random(new Random(SEED), true);
        WindowAssigner<Object, TimeWindow> windows = windows(3_000, 1_000);
        LineFiles files = LineFiles.of(path(directory)).chunkBytes(900);

        StreamExecutionEnvironment env = environment(1, new Configuration());
        SingleOutputStreamOperator<WindowResult<String>> ours =
                timed(env, files)
                        .keyBy("key")
                        .window(windows)
                        .allowedLateness(Duration.ofSeconds(2))
                        .sideOutputLateData(late)
                        .aggregate(cells.byField());
        var lateOurs = ours.getSideOutput(late).map(Trades::line).collectAsync();
        var resultsOurs = ours.map(ResultText::of).collectAsync();
        env.execute();

        env = environment(1, new Configuration());
        SingleOutputStreamOperator<WindowResult<String>> ofRows =
                GpuStreams.on(timed(env, files).rows())
                        .keyBy(row -> row.<String>getFieldAs("key"), Types.STRING)
                        .window(windows)
                        .allowedLateness(Duration.ofSeconds(2))
                        .sideOutputLateData(late)
                        .aggregate(cells.byGetter());
        var lateRows = ofRows.getSideOutput(late).map(Trades::line).collectAsync();
        var resultsRows = ofRows.map(ResultText::of).collectAsync();
        env.execute();

        List<String> lateLines = all(lateOurs);
        assertThat(lateLines).as("or the test shows little").isNotEmpty();
        assertThat(lateLines).as("seed=" + SEED).isEqualTo(all(lateRows));
        assertThat(all(resultsOurs))
                .as("seed=%d, %s", SEED, cells)
                .containsExactlyInAnyOrderElementsOf(all(resultsRows));
    }

    @ParameterizedTest
    @CsvSource({"hashmap, false, 1000", "rocksdb, true, 1000", "hashmap, true, 0"})
    void afterAFailureTheSame(String backend, boolean ranges, long size) throws Exception {
        FailsOnce.FAILED.set(false);
        write(directory, Trades.rows(2_000, 0, SEED), "\n", true);
        Configuration config = FailsOnce.restarting(Duration.ofMillis(50), false);
        config.set(StateBackendOptions.STATE_BACKEND, backend);
        DataStream<? extends Lines> lines =
                failing(
                        source(
                                environment(2, config),
                                LineFiles.of(path(directory)).splitBytes(200).chunkBytes(50),
                                ranges));
        LineCells cells = LineCells.random(new Random(SEED + size), true);
        WindowAssigner<Object, ?> windows =
                size == 0 ? GlobalWindows.createWithEndOfStreamTrigger() : windows(size, size);
        List<WindowResult<String>> results =
                all(
                        GpuStreams.lines(lines, Trades.FORMAT)
                                .withOptions(options(BatchPolicy.DEFAULT))
                                .eventTime("time", Duration.ofSeconds(5))
                                .keyBy("key")
                                .window(windows)
                                .aggregate(cells.byField())
                                .executeAndCollect());
        assertThat(FailsOnce.FAILED).isTrue();
        Map<String, String> expected = ofRows(cells, windows);
        assertThat(results).as("seed=" + SEED).hasSameSizeAs(expected.keySet());
        assertThat(last(results)).as("seed=%d, %s", SEED, cells).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({"hashmap, 1, 4, 2", "rocksdb, 3, 1, 4"})
    void goesOnFromSavepointsWithOtherParallelisms(String backend, int first, int second, int third)
            throws Exception {
        write(directory, Trades.rows(3_000, 0, SEED), "\n", true);
        LineCells cells = LineCells.random(new Random(SEED), true);
        RESULTS.clear();
        SEEN.set(0);
        String savepoint = stop(start(cells, backend, first, null, 2));
        savepoint = stop(start(cells, backend, second, savepoint, 2));
        start(cells, backend, third, savepoint, 0).getJobExecutionResult().get();
        assertThat(RESULTS)
                .as("seed=%d, %s", SEED, cells)
                .containsExactlyInAnyOrderElementsOf(ofRows(cells, windows(5_000, 5_000)).values());
    }

    private JobClient start(
            LineCells cells, String backend, int parallelism, String savepoint, int sleepMillis)
            throws Exception {
        Configuration config = new Configuration();
        config.set(StateBackendOptions.STATE_BACKEND, backend);
        config.set(PipelineOptions.AUTO_GENERATE_UIDS, false);
        if (savepoint != null) {
            config.set(StateRecoveryOptions.SAVEPOINT_PATH, savepoint);
        }
        StreamExecutionEnvironment env = environment(parallelism, config);
        LineFiles files = LineFiles.of(path(directory)).splitBytes(1 << 20).chunkBytes(200);
        var chunks =
                env.fromSource(files.chunks(), WatermarkStrategy.noWatermarks(), "chunks")
                        .setParallelism(1)
                        .uid("chunks");
        GpuStreams.lines(
                        chunks.map(new Slow<>(sleepMillis))
                                .returns(chunks.getType())
                                .setParallelism(1)
                                .uid("slow"),
                        Trades.FORMAT)
                .withOptions(options(BatchPolicy.DEFAULT))
                .eventTime("time", Duration.ofMillis(300))
                .keyBy("key")
                .window(windows(5_000, 5_000))
                .aggregate(cells.byField())
                .uid("windows")
                .map(new Remembers())
                .returns(Types.STRING)
                .uid("remembers")
                .sinkTo(new DiscardingSink<>())
                .uid("sink");
        return env.executeAsync();
    }

    private String stop(JobClient job) throws Exception {
        int before = SEEN.get();
        while (SEEN.get() < before + 150) {
            Thread.sleep(5);
        }
        return Savepoints.stop(job, directory, SavepointFormatType.CANONICAL).toUri().toString();
    }

    /** What becomes of all rows of the file, in one task. */
    private Map<String, String> ofRows(LineCells cells, WindowAssigner<Object, ?> windows)
            throws Exception {
        return last(
                all(
                        GpuStreams.on(
                                        timed(
                                                        environment(1, new Configuration()),
                                                        LineFiles.of(path(directory)))
                                                .rows())
                                .withOptions(options(BatchPolicy.DEFAULT))
                                .keyBy(row -> row.<String>getFieldAs("key"), Types.STRING)
                                .window(windows)
                                .allowedLateness(LONG)
                                .aggregate(cells.byGetter())
                                .executeAndCollect()));
    }

    private static LineStream timed(StreamExecutionEnvironment env, LineFiles files) {
        return GpuStreams.lines(source(env, files, false), Trades.FORMAT)
                .withOptions(options(BatchPolicy.DEFAULT))
                .eventTime("time", Duration.ofMillis(300));
    }

    private static <L extends Lines> DataStream<L> failing(DataStream<L> lines) {
        return lines.map(new FailsOnce<L>(50, Integer.MAX_VALUE)).returns(lines.getType());
    }

    private record Slow<L>(int millis) implements MapFunction<L, L> {

        @Override
        public L map(L lines) throws InterruptedException {
            SEEN.incrementAndGet();
            Thread.sleep(millis);
            return lines;
        }
    }

    /** No failure makes it see a result twice. */
    private record Remembers() implements MapFunction<WindowResult<String>, String> {

        @Override
        public String map(WindowResult<String> result) {
            String text = ResultText.of(result);
            RESULTS.add(text);
            return text;
        }
    }
}
