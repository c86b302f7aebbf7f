package io.flinkgpu;

import io.flinkgpu.api.Action;
import io.flinkgpu.api.BackendChoice;
import io.flinkgpu.api.BatchPolicy;
import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.api.LineChunk;
import io.flinkgpu.api.LineChunkTypeInfo;
import io.flinkgpu.api.LineRange;
import io.flinkgpu.api.LineRangeTypeInfo;
import io.flinkgpu.api.Rule;
import io.flinkgpu.api.RuleSet;
import io.flinkgpu.oracle.Clusters;
import io.flinkgpu.source.LineFileSinks;
import io.flinkgpu.source.LineFiles;

import org.apache.flink.api.common.JobExecutionResult;
import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.dag.Transformation;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.connector.file.sink.FileSink;
import org.apache.flink.core.fs.Path;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.DataStreamSink;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.apache.flink.util.CloseableIterator;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/** Files in, redacted files out, on a cluster in this process; with and without a failure. */
@Timeout(120)
class FilesITCase {

    @RegisterExtension static final MiniClusterExtension CLUSTER = Clusters.ofFourSlots();

    private static final RuleSet RULES =
            RuleSet.of(Rule.of("secret", "secret[0-9]+", Action.label("[X]")));
    private static final GpuOptions OPTIONS =
            GpuOptions.DEFAULT
                    .withBackend(BackendChoice.CPU)
                    .withBatchPolicy(new BatchPolicy(100, 4096, Duration.ofMillis(20)));
    private static final int LINES = 20_000;

    @TempDir java.nio.file.Path directory;

    private String expected;

    @BeforeEach
    void writeInput() throws IOException {
        FailsOnce.FAILED.set(false);
        Files.createDirectory(directory.resolve("in"));
        StringBuilder first = new StringBuilder();
        StringBuilder second = new StringBuilder();
        for (int i = 0; i < LINES; i++) {
            (i < LINES / 2 ? first : second)
                    .append("line ")
                    .append(i)
                    .append(i % 3 == 0 ? " with secret" + i : "")
                    .append(i == LINES - 1 ? "" : "\n");
        }
        Files.writeString(directory.resolve("in/a.log"), first);
        Files.writeString(directory.resolve("in/b.log"), second);
        expected = (first.toString() + second).replaceAll("secret[0-9]+", "[X]");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void oneFileInInputOrder(boolean ranges) throws Exception {
        StreamExecutionEnvironment env = environment(new Configuration());
        (ranges
                        ? GpuStreams.redactLines(ranges(env), RULES, OPTIONS)
                        : GpuStreams.redact(chunks(env), RULES, OPTIONS))
                .sinkTo(sink());
        JobExecutionResult result = env.execute();
        assertThat(output()).containsExactly(expected);
        assertThat(result.<Long>getAccumulatorResult("redaction.rows")).isEqualTo(LINES);
        assertThat(result.<Long>getAccumulatorResult("redaction.matches.secret"))
                .isEqualTo((LINES + 2) / 3);
    }

    /** Chained the sink writes what it is lent; unchained its chunks are serialized before. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void intoAFileInInputOrder(boolean chained) throws Exception {
        StreamExecutionEnvironment env = environment(new Configuration());
        DataStreamSink<LineChunk> sink =
                GpuStreams.redactLinesTo(ranges(env), RULES, OPTIONS, sink());
        if (!chained) {
            sink.disableChaining();
        }
        JobExecutionResult result = env.execute();
        assertThat(output()).containsExactly(expected);
        assertThat(result.<Long>getAccumulatorResult("redaction.rows")).isEqualTo(LINES);
    }

    @Test
    void intoFilesOfMoreSubtasks() throws Exception {
        StreamExecutionEnvironment env = environment(new Configuration());
        GpuStreams.redactLinesTo(chunks(env), RULES, OPTIONS, sink()).setParallelism(2);
        env.execute();
        List<String> files = output();
        assertThat(files).hasSize(2);
        // The last line of the input has no end, wherever it is.
        assertThat(files.stream().flatMap(String::lines))
                .containsExactlyInAnyOrderElementsOf(expected.lines().toList());
    }

    /** Files without an end of their last line: it does not run into a line of another file. */
    @Test
    void lastLinesAreTerminatedWhoeverReadsThem() throws Exception {
        Files.writeString(directory.resolve("in/c.log"), "secret1 without an end");
        StreamExecutionEnvironment env = environment(new Configuration()).setParallelism(2);
        DataStream<LineRange> lines =
                env.fromSource(
                        files().terminateLastLines().ranges(),
                        WatermarkStrategy.noWatermarks(),
                        "lines");
        GpuStreams.redactLinesTo(lines, RULES, OPTIONS, sink());
        env.execute();
        List<String> files = output();
        assertThat(files).isNotEmpty().allMatch(file -> file.endsWith("\n"));
        List<String> all =
                Stream.concat(expected.lines(), Stream.of("[X] without an end")).toList();
        // Sorted, as AssertJ compares unordered lists in quadratic time.
        assertThat(files.stream().flatMap(String::lines).sorted().toList())
                .isEqualTo(all.stream().sorted().toList());
    }

    /** Lent to the sink, or serialized before it. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void recordsOfSeveralLinesAreOneText(boolean chained) throws Exception {
        StringBuilder input = new StringBuilder("no start\n");
        for (int i = 0; i < 3000; i++) {
            input.append("at ")
                    .append(i)
                    .append(" key BEGIN\nbody")
                    .append(i)
                    .append("\nEND\nrest\n");
        }
        Files.writeString(directory.resolve("in/a.log"), input);
        Files.delete(directory.resolve("in/b.log"));
        RuleSet rules = RuleSet.of(Rule.of("key", "BEGIN[^E]*END", Action.label("[KEY]")));
        StreamExecutionEnvironment env =
                environment(FailsOnce.restarting(Duration.ofMillis(50), false));
        DataStream<LineChunk> records =
                env.fromSource(
                                files().startOfRecord("at \\d").chunks(),
                                WatermarkStrategy.noWatermarks(),
                                "records")
                        .map(new FailsOnce<LineChunk>(50, 500))
                        .returns(LineChunkTypeInfo.INSTANCE);
        DataStreamSink<LineChunk> sink = GpuStreams.redactLinesTo(records, rules, OPTIONS, sink());
        if (!chained) {
            sink.disableChaining();
        }
        env.execute();
        assertThat(FailsOnce.FAILED).isTrue();
        assertThat(output()).containsExactly(input.toString().replaceAll("BEGIN[^E]*END", "[KEY]"));
    }

    @Test
    void theNameOfASinkNamesTheRedactionToo() {
        Configuration config = new Configuration();
        config.set(PipelineOptions.AUTO_GENERATE_UIDS, false);
        StreamExecutionEnvironment env = environment(config);
        GpuStreams.redactLinesTo(
                        env.fromSource(files().ranges(), WatermarkStrategy.noWatermarks(), "lines")
                                .uid("lines"),
                        RULES,
                        OPTIONS,
                        sink())
                .uid("files");
        assertThat(env.getTransformations())
                .extracting(Transformation::getUid)
                .containsExactlyInAnyOrder("files-redaction", "files");
        // Which fails if anything else lacks a name.
        assertThat(env.getStreamGraph().getJobGraph().getVertices()).isNotEmpty();
    }

    @ParameterizedTest
    @EnumSource(
            value = RuntimeExecutionMode.class,
            names = {"STREAMING", "BATCH"})
    void keyedStreamsToo(RuntimeExecutionMode mode) throws Exception {
        StreamExecutionEnvironment env = environment(new Configuration());
        env.setRuntimeMode(mode);
        DataStream<String> texts =
                env.fromData("a secret1", "b secret2", "a", "b", "a secret3")
                        .keyBy(FilesITCase::key);
        SingleOutputStreamOperator<String> redacted =
                GpuStreams.redact(texts, text -> text, (record, text) -> text, RULES, OPTIONS);
        List<String> all = new ArrayList<>();
        CloseableIterator<String> results =
                redacted.keyBy(FilesITCase::key).reduce((x, y) -> x + "|" + y).executeAndCollect();
        results.forEachRemaining(all::add);
        results.close();
        assertThat(all).contains("a [X]|a|a [X]", "b [X]|b");
    }

    private static String key(String text) {
        return text.substring(0, 1);
    }

    @ParameterizedTest
    @CsvSource({
        "false, false, false",
        "false, true, false",
        "true, false, false",
        "true, true, false",
        "false, false, true",
        "true, true, true"
    })
    void afterAFailureTheSameFile(boolean unaligned, boolean objectReuse, boolean ranges)
            throws Exception {
        StreamExecutionEnvironment env = environment(restarting(unaligned, objectReuse));
        DataStream<LineChunk> redacted =
                ranges
                        ? GpuStreams.redactLines(ranges(env).rebalance(), RULES, OPTIONS)
                        : GpuStreams.redact(chunks(env).rebalance(), RULES, OPTIONS);
        redacted.rebalance()
                .map(new FailsOnce<>(50, 500))
                .returns(LineChunkTypeInfo.INSTANCE)
                .sinkTo(sink());
        env.execute();
        assertThat(FailsOnce.FAILED).isTrue();
        assertThat(output()).containsExactly(expected);
    }

    @ParameterizedTest
    @CsvSource({"false, false", "false, true", "true, false"})
    void afterAFailureTheSameFileOfLentLines(boolean unaligned, boolean objectReuse)
            throws Exception {
        StreamExecutionEnvironment env = environment(restarting(unaligned, objectReuse));
        DataStream<LineRange> failing =
                ranges(env)
                        .rebalance()
                        .map(new FailsOnce<LineRange>(50, 500))
                        .returns(LineRangeTypeInfo.INSTANCE);
        GpuStreams.redactLinesTo(failing, RULES, OPTIONS, sink());
        env.execute();
        assertThat(FailsOnce.FAILED).isTrue();
        assertThat(output()).containsExactly(expected);
    }

    private static Configuration restarting(boolean unaligned, boolean objectReuse) {
        Configuration config = FailsOnce.restarting(Duration.ofMillis(100), unaligned);
        config.set(PipelineOptions.OBJECT_REUSE, objectReuse);
        return config;
    }

    private DataStream<LineChunk> chunks(StreamExecutionEnvironment env) {
        return env.fromSource(files().chunks(), WatermarkStrategy.noWatermarks(), "lines");
    }

    private DataStream<LineRange> ranges(StreamExecutionEnvironment env) {
        return env.fromSource(files().ranges(), WatermarkStrategy.noWatermarks(), "lines");
    }

    private FileSink<LineChunk> sink() {
        return LineFileSinks.onePerSubtask(new Path(directory.resolve("out").toUri()));
    }

    private LineFiles files() {
        return LineFiles.of(new Path(directory.resolve("in").toUri()))
                .chunkBytes(500)
                .splitBytes(100_000);
    }

    private static StreamExecutionEnvironment environment(Configuration config) {
        config.set(PipelineOptions.GENERIC_TYPES, false);
        return StreamExecutionEnvironment.getExecutionEnvironment(config).setParallelism(1);
    }

    private List<String> output() throws IOException {
        try (Stream<java.nio.file.Path> files = Files.list(directory.resolve("out"))) {
            return files.filter(file -> !file.getFileName().toString().startsWith("."))
                    .map(FilesITCase::read)
                    .toList();
        }
    }

    private static String read(java.nio.file.Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
