package io.flinkgpu.lines;

import io.flinkgpu.GpuStreams;
import io.flinkgpu.LineStream;
import io.flinkgpu.api.Aggregates;
import io.flinkgpu.api.BackendChoice;
import io.flinkgpu.api.BatchPolicy;
import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.api.LongLine;
import io.flinkgpu.api.WindowResult;
import io.flinkgpu.api.lines.Delimited;
import io.flinkgpu.api.lines.Malformed;
import io.flinkgpu.api.lines.MalformedLine;
import io.flinkgpu.source.LineFiles;
import io.flinkgpu.testkit.Clusters;
import io.flinkgpu.testkit.FailingJobs;

import org.apache.flink.api.common.JobExecutionResult;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.fs.Path;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.windowing.assigners.GlobalWindows;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.apache.flink.types.Row;
import org.apache.flink.util.CloseableIterator;
import org.apache.flink.util.OutputTag;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Malformed lines of a file by each policy: none is lost, none counted twice.
 *
 * <p>Covers: MalformedLine, Delimited.
 */
@Timeout(120)
class MalformedLinesITCase {

    @RegisterExtension static final MiniClusterExtension CLUSTER = Clusters.ofFourSlots();

    private static final int LINES = 600;
    private static final Delimited FORMAT = Delimited.of(';').string("key").intNumber("number");
    private static final OutputTag<MalformedLine> MALFORMED =
            new OutputTag<>("malformed", TypeInformation.of(MalformedLine.class));

    @TempDir java.nio.file.Path directory;

    private final Map<Long, String> malformed = new TreeMap<>();
    private java.nio.file.Path file;

    @BeforeEach
    void writeInput() throws IOException {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < LINES; i++) {
            String line =
                    i % 7 == 3 ? (i % 2 == 0 ? "" : "bad line é " + i) : "k" + i % 3 + ";" + i;
            if (i % 7 == 3) {
                malformed.put((long) text.toString().getBytes(StandardCharsets.UTF_8).length, line);
            }
            text.append(line).append('\n');
        }
        file = Files.writeString(directory.resolve("in.txt"), text);
    }

    @ParameterizedTest
    @CsvSource({"1, 100000, true", "3, 50, true", "4, 11, false"})
    void aSideOutputHasThemAll(int parallelism, int splitBytes, boolean ranges) throws Exception {
        StreamExecutionEnvironment env = environment(parallelism);
        SingleOutputStreamOperator<WindowResult<String>> results =
                lines(env, splitBytes, ranges)
                        .malformed(MALFORMED)
                        .keyBy("key")
                        .window(GlobalWindows.createWithEndOfStreamTrigger())
                        .aggregate(Aggregates.ofField("number").count());
        CloseableIterator<WindowResult<String>> all = results.collectAsync();
        CloseableIterator<MalformedLine> side = results.getSideOutput(MALFORMED).collectAsync();
        JobClient job = env.executeAsync();
        long[] counted = new long[1];
        all.forEachRemaining(result -> counted[0] += result.values().getLong(0));
        List<MalformedLine> found = new ArrayList<>();
        side.forEachRemaining(found::add);
        JobExecutionResult result = job.getJobExecutionResult().get();
        assertThat(counted[0]).isEqualTo(LINES - malformed.size());
        assertThat(found).hasSameSizeAs(malformed.keySet());
        assertThat(found)
                .allSatisfy(
                        line -> {
                            assertThat(line.file()).endsWith("in.txt");
                            assertThat(malformed.get(line.offsetBytes()))
                                    .isEqualTo(new String(line.line(), StandardCharsets.UTF_8));
                            assertThat(line.reason()).contains("field 'number'");
                        });
        assertThat(result.<Long>getAccumulatorResult("lines.malformed"))
                .isEqualTo(malformed.size());
        assertThat(result.<Long>getAccumulatorResult("lines.lines")).isEqualTo(LINES);
    }

    @ParameterizedTest
    @CsvSource({"true, 200", "false, 200", "true, 100000", "false, 100000"})
    void aLineThatIsTooLongHasItsPlaceAndNotItsText(boolean ranges, int splitBytes)
            throws Exception {
        StringBuilder text = new StringBuilder();
        List<Long> places = new ArrayList<>();
        for (int i = 0; i < LINES; i++) {
            if (i % 13 == 5) {
                places.add((long) text.length());
                text.append("secret".repeat(20)).append(';');
            }
            text.append('k').append(i % 3).append(';').append(i).append('\n');
        }
        Files.writeString(file, text);
        StreamExecutionEnvironment env = environment(2);
        SingleOutputStreamOperator<Row> rows =
                lines(env, files(splitBytes).maxLineBytes(100, LongLine.LABEL), ranges)
                        .malformed(MALFORMED)
                        .rows();
        CloseableIterator<Row> all = rows.collectAsync();
        CloseableIterator<MalformedLine> side = rows.getSideOutput(MALFORMED).collectAsync();
        env.executeAsync();
        List<Row> found = new ArrayList<>();
        all.forEachRemaining(found::add);
        List<Long> offsets = new ArrayList<>();
        side.forEachRemaining(
                line -> {
                    assertThat(line.line())
                            .asString(StandardCharsets.UTF_8)
                            .isEqualTo("[LINE TOO LONG]");
                    offsets.add(line.offsetBytes());
                });
        assertThat(found).hasSize(LINES - places.size());
        assertThat(offsets).containsExactlyInAnyOrderElementsOf(places);
    }

    @Test
    void rowsHaveASideOutputToo() throws Exception {
        StreamExecutionEnvironment env = environment(2);
        SingleOutputStreamOperator<Row> rows = lines(env, 100, true).malformed(MALFORMED).rows();
        CloseableIterator<Row> all = rows.collectAsync();
        CloseableIterator<MalformedLine> side = rows.getSideOutput(MALFORMED).collectAsync();
        env.executeAsync();
        List<Row> found = new ArrayList<>();
        all.forEachRemaining(found::add);
        List<Long> offsets = new ArrayList<>();
        side.forEachRemaining(line -> offsets.add(line.offsetBytes()));
        assertThat(found).hasSize(LINES - malformed.size());
        assertThat(found).allMatch(row -> row.<Integer>getFieldAs("number") < LINES);
        assertThat(offsets).containsExactlyInAnyOrderElementsOf(malformed.keySet());
    }

    @Test
    void aMapperMakesRecordsOrNone() throws Exception {
        List<String> made = new ArrayList<>();
        lines(environment(2), 100, true)
                .malformed(Malformed.SKIP)
                .map(
                        fields ->
                                fields.word(1) % 2 == 0
                                        ? new String(fields.text(0), StandardCharsets.UTF_8)
                                                + fields.word(1)
                                        : null,
                        Types.STRING)
                .executeAndCollect()
                .forEachRemaining(made::add);
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < LINES; i += 2) {
            if (i % 7 != 3) {
                expected.add("k" + i % 3 + i);
            }
        }
        assertThat(made).containsExactlyInAnyOrderElementsOf(expected);
    }

    @Test
    void leftOutAndFailing() throws Exception {
        StreamExecutionEnvironment env = environment(2);
        long[] counted = new long[1];
        lines(env, 100, true)
                .malformed(Malformed.SKIP)
                .keyBy("key")
                .window(GlobalWindows.createWithEndOfStreamTrigger())
                .aggregate(Aggregates.ofField("number").count())
                .executeAndCollect()
                .forEachRemaining(result -> counted[0] += result.values().getLong(0));
        assertThat(counted[0]).isEqualTo(LINES - malformed.size());
        assertThat(
                        FailingJobs.failure(
                                () ->
                                        lines(environment(1), 1_000_000, true)
                                                .keyBy("key")
                                                .window(
                                                        GlobalWindows
                                                                .createWithEndOfStreamTrigger())
                                                .aggregate(Aggregates.ofField("number").count())))
                .hasStackTraceContaining(
                        "in.txt, offsetBytes=15, line=(hidden: text of length 13), reason: field 'number'");
    }

    private LineFiles files(int splitBytes) {
        return LineFiles.of(new Path(file.toUri()))
                .splitBytes(splitBytes)
                .chunkBytes(Math.max(1, splitBytes / 2));
    }

    private LineStream lines(StreamExecutionEnvironment env, int splitBytes, boolean ranges) {
        return lines(env, files(splitBytes), ranges);
    }

    private static LineStream lines(
            StreamExecutionEnvironment env, LineFiles files, boolean ranges) {
        return GpuStreams.lines(
                        ranges
                                ? env.fromSource(
                                        files.ranges(), WatermarkStrategy.noWatermarks(), "r")
                                : env.fromSource(
                                        files.chunks(), WatermarkStrategy.noWatermarks(), "c"),
                        FORMAT)
                .withOptions(
                        GpuOptions.DEFAULT
                                .withBackend(BackendChoice.CPU)
                                .withBatchPolicy(BatchPolicy.DEFAULT.withMaxBytes(200)));
    }

    private static StreamExecutionEnvironment environment(int parallelism) {
        Configuration config = new Configuration();
        config.set(PipelineOptions.GENERIC_TYPES, false);
        return StreamExecutionEnvironment.getExecutionEnvironment(config)
                .setParallelism(parallelism);
    }
}
