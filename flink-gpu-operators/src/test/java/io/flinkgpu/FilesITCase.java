package io.flinkgpu;

import io.flinkgpu.api.Action;
import io.flinkgpu.api.BackendChoice;
import io.flinkgpu.api.BatchPolicy;
import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.api.LineChunk;
import io.flinkgpu.api.LineChunkTypeInfo;
import io.flinkgpu.api.LineRange;
import io.flinkgpu.api.Rule;
import io.flinkgpu.api.RuleSet;
import io.flinkgpu.oracle.Clusters;
import io.flinkgpu.source.LineFileSinks;
import io.flinkgpu.source.LineFiles;

import org.apache.flink.api.common.JobExecutionResult;
import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.core.fs.Path;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.apache.flink.util.CloseableIterator;

import org.junit.jupiter.api.BeforeEach;
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
                .sinkTo(LineFileSinks.onePerSubtask(new Path(directory.resolve("out").toUri())));
        JobExecutionResult result = env.execute();
        assertThat(output()).containsExactly(expected);
        assertThat(result.<Long>getAccumulatorResult("redaction.rows")).isEqualTo(LINES);
        assertThat(result.<Long>getAccumulatorResult("redaction.matches.secret"))
                .isEqualTo((LINES + 2) / 3);
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
        Configuration config = new Configuration();
        config.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, Duration.ofMillis(100));
        config.set(CheckpointingOptions.ENABLE_UNALIGNED, unaligned);
        config.set(PipelineOptions.OBJECT_REUSE, objectReuse);
        config.set(RestartStrategyOptions.RESTART_STRATEGY, "fixed-delay");
        config.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_ATTEMPTS, 1);
        config.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_DELAY, Duration.ofMillis(1));
        StreamExecutionEnvironment env = environment(config);
        DataStream<LineChunk> redacted =
                ranges
                        ? GpuStreams.redactLines(ranges(env).rebalance(), RULES, OPTIONS)
                        : GpuStreams.redact(chunks(env).rebalance(), RULES, OPTIONS);
        redacted.rebalance()
                .map(new FailsOnce<>(50))
                .returns(LineChunkTypeInfo.INSTANCE)
                .sinkTo(LineFileSinks.onePerSubtask(new Path(directory.resolve("out").toUri())));
        env.execute();
        assertThat(FailsOnce.FAILED).isTrue();
        assertThat(output()).containsExactly(expected);
    }

    private DataStream<LineChunk> chunks(StreamExecutionEnvironment env) {
        return env.fromSource(files().chunks(), WatermarkStrategy.noWatermarks(), "lines");
    }

    private DataStream<LineRange> ranges(StreamExecutionEnvironment env) {
        return env.fromSource(files().ranges(), WatermarkStrategy.noWatermarks(), "lines");
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
