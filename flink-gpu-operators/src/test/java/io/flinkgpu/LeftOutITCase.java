package io.flinkgpu;

import io.flinkgpu.api.Action;
import io.flinkgpu.api.BackendChoice;
import io.flinkgpu.api.BatchPolicy;
import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.api.LineChunk;
import io.flinkgpu.api.LineChunkTypeInfo;
import io.flinkgpu.api.LineRange;
import io.flinkgpu.api.LineRangeTypeInfo;
import io.flinkgpu.api.LongLine;
import io.flinkgpu.api.RefusedRecord;
import io.flinkgpu.api.Rule;
import io.flinkgpu.api.RuleSet;
import io.flinkgpu.api.TooLongLine;
import io.flinkgpu.source.LineFileSinks;
import io.flinkgpu.source.LineFiles;
import io.flinkgpu.testkit.Clusters;

import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.core.fs.Path;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.apache.flink.util.CloseableIterator;
import org.apache.flink.util.OutputTag;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import static io.flinkgpu.testkit.Clusters.list;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Where records and lines are that a redaction leaves out, in side outputs on a cluster in this process that
 * fails once: each once, and none of what they say.
 *
 * <p>Covers: RedactedLineSink.
 */
@Timeout(300)
class LeftOutITCase {

    @RegisterExtension static final MiniClusterExtension CLUSTER = Clusters.ofFourSlots();

    private static final int RECORDS = 3_000;
    private static final RuleSet RULES =
            RuleSet.of(
                    Rule.of("word", "secret[0-9]*", Action.label("[X]")),
                    Rule.of("blow-up", "z", Action.label("Z".repeat(100))));
    private static final GpuOptions OPTIONS =
            GpuOptions.DEFAULT
                    .withBackend(BackendChoice.CPU)
                    .withMemoryLimitBytes(16 << 20)
                    .withBatchPolicy(new BatchPolicy(100, 4096, Duration.ofMillis(20)));

    private final OutputTag<RefusedRecord> refused = new OutputTag<>("refused") {};
    private final OutputTag<TooLongLine> longLines = new OutputTag<>("long lines") {};

    @TempDir private java.nio.file.Path directory;

    @BeforeEach
    void forgetTheFailure() {
        FailsOnce.FAILED.set(false);
    }

    @Test
    void recordsOfOneField() throws Exception {
        StreamExecutionEnvironment env = environment();
        DataStream<String> texts =
                env.fromSequence(0, RECORDS - 1).map(LeftOutITCase::text).returns(Types.STRING);
        SingleOutputStreamOperator<String> redacted =
                GpuStreams.redact(
                        texts.rebalance(),
                        LeftOutITCase::readable,
                        (record, text) -> text,
                        RULES,
                        OPTIONS,
                        refused);
        CloseableIterator<RefusedRecord> places = redacted.getSideOutput(refused).collectAsync();
        CloseableIterator<String> results =
                redacted.rebalance()
                        .map(new FailsOnce<>(50, RECORDS / 2))
                        .returns(Types.STRING)
                        .collectAsync();
        env.execute();

        assertThat(FailsOnce.FAILED).isTrue();
        assertThat(list(results))
                .isEqualTo(
                        LongStream.range(0, RECORDS)
                                .filter(number -> number % 10 != 0)
                                .mapToObj(number -> "a [X]")
                                .toList());
        assertThat(list(places))
                .hasSize(RECORDS / 10)
                .allMatch(place -> place.place() == null)
                .extracting(RefusedRecord::reason)
                .allMatch(reason -> reason.startsWith("its text cannot be read: "))
                .noneMatch(reason -> reason.contains("secret"));
    }

    private static String text(long number) {
        return (number % 10 == 0 ? "unreadable secret" : "a secret") + number;
    }

    private static String readable(String text) {
        if (text.startsWith("un")) {
            throw new IllegalStateException("not " + text);
        }
        return text;
    }

    @Test
    void chunksOfLines() throws Exception {
        StreamExecutionEnvironment env = environment();
        DataStream<LineChunk> chunks =
                env.fromSequence(0, RECORDS - 1)
                        .map(LeftOutITCase::chunk)
                        .returns(LineChunkTypeInfo.INSTANCE);
        SingleOutputStreamOperator<LineChunk> redacted =
                GpuStreams.redact(chunks.rebalance(), RULES, OPTIONS, refused);
        CloseableIterator<RefusedRecord> places = redacted.getSideOutput(refused).collectAsync();
        CloseableIterator<LineChunk> results =
                redacted.rebalance()
                        .map(new FailsOnce<>(50, RECORDS / 2))
                        .returns(LineChunkTypeInfo.INSTANCE)
                        .collectAsync();
        env.execute();

        assertThat(FailsOnce.FAILED).isTrue();
        assertThat(list(results))
                .hasSize(RECORDS - RECORDS / 1000)
                .allMatch(
                        chunk ->
                                new String(chunk.bytes(), StandardCharsets.US_ASCII)
                                        .equals("[X]\nb"));
        assertThat(list(places))
                .extracting(RefusedRecord::place)
                .containsExactly(
                        "file=f, offsetBytes=0",
                        "file=f, offsetBytes=1000",
                        "file=f, offsetBytes=2000");
    }

    private static LineChunk chunk(long number) {
        String lines = number % 1000 == 0 ? "secret\n" + "z".repeat(300_000) : "secret1\nb";
        return new LineChunk("f", number, lines.getBytes(StandardCharsets.US_ASCII));
    }

    @ParameterizedTest
    @EnumSource(names = {"LABEL", "SKIP"})
    void linesOfFilesThatAreTooLong(LongLine longer) throws Exception {
        List<TooLongLine> expected = new ArrayList<>();
        String redactedLines = writeInput(longer, expected);
        StreamExecutionEnvironment env = environment();
        LineFiles files =
                LineFiles.of(new Path(directory.resolve("in").toUri()))
                        .chunkBytes(300)
                        .splitBytes(20_000)
                        .maxLineBytes(200, longer);
        DataStream<LineRange> ranges =
                env.fromSource(files.ranges(), WatermarkStrategy.noWatermarks(), "lines")
                        .rebalance()
                        .map(new FailsOnce<LineRange>(50, 150))
                        .returns(LineRangeTypeInfo.INSTANCE);
        RedactedLineSink sink =
                GpuStreams.redactLinesTo(
                        ranges,
                        RULES,
                        OPTIONS,
                        LineFileSinks.onePerSubtask(new Path(directory.resolve("out").toUri())),
                        longLines);
        CloseableIterator<TooLongLine> places = sink.getSideOutput(longLines).collectAsync();
        env.execute();

        assertThat(FailsOnce.FAILED).isTrue();
        assertThat(output()).containsExactly(redactedLines);
        assertThat(list(places)).isEqualTo(expected);
    }

    /** Returns what becomes of it. */
    private String writeInput(LongLine longer, List<TooLongLine> places) throws IOException {
        java.nio.file.Path file = Files.createDirectory(directory.resolve("in")).resolve("a.log");
        StringBuilder in = new StringBuilder();
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < 5_000; i++) {
            if (i % 17 == 0) {
                int lineBytes = 201 + i % 500;
                places.add(
                        new TooLongLine(new Path(file.toUri()).toString(), in.length(), lineBytes));
                in.append("s".repeat(lineBytes)).append('\n');
                out.append(longer == LongLine.LABEL ? "[LINE TOO LONG]\n" : "");
            } else {
                in.append("line secret").append(i).append('\n');
                out.append("line [X]\n");
            }
        }
        Files.writeString(file, in);
        return out.toString();
    }

    private List<String> output() throws IOException {
        List<String> all = new ArrayList<>();
        try (Stream<java.nio.file.Path> files = Files.list(directory.resolve("out"))) {
            for (java.nio.file.Path file : files.toList()) {
                if (!file.getFileName().toString().startsWith(".")) {
                    all.add(Files.readString(file));
                }
            }
        }
        return all;
    }

    private static StreamExecutionEnvironment environment() {
        Configuration config = FailsOnce.restarting(Duration.ofMillis(100), false);
        config.set(PipelineOptions.GENERIC_TYPES, false);
        return StreamExecutionEnvironment.getExecutionEnvironment(config).setParallelism(1);
    }
}
