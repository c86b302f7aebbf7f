package io.flinkgpu.examples;

import io.flinkgpu.GpuStreams;
import io.flinkgpu.api.Aggregates;
import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.api.RuleSet;
import io.flinkgpu.api.WindowResult;
import io.flinkgpu.examples.WindowSensors.Reading;
import io.flinkgpu.rules.RuleFiles;

import org.apache.flink.api.common.eventtime.Watermark;
import org.apache.flink.api.common.eventtime.WatermarkGenerator;
import org.apache.flink.api.common.eventtime.WatermarkOutput;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.windowing.assigners.SlidingEventTimeWindows;
import org.apache.flink.util.OutputTag;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the tutorials show is of programs that run, and prints what they say.
 *
 * <p>Covers: WindowSensors.
 */
class TutorialsTest {

    private static final Path FOLDER = Path.of("../docs/tutorials");
    private static final Pattern BLOCK = Pattern.compile("(?s)```(\\w+)\n(.*?)```\n");
    private static final Pattern RUN =
            Pattern.compile("(?s)```sh\nexamples/run ([A-Z]\\w+)\n```\n```text\n(.*?)```\n");
    private static final Pattern PROGRAM = Pattern.compile("\\]\\(([^)]+\\.java)\\)");

    static Stream<Path> pages() throws IOException {
        try (Stream<Path> pages = Files.list(FOLDER)) {
            return pages.sorted().toList().stream();
        }
    }

    private static List<String> blocks(String page, String language) {
        return BLOCK.matcher(page)
                .results()
                .filter(block -> block.group(1).equals(language))
                .map(block -> block.group(2))
                .toList();
    }

    private static String stripped(String code) {
        return code.lines().map(String::strip).reduce("\n", (a, b) -> a + b + "\n");
    }

    private static String printed(String program) throws Exception {
        PrintStream before = System.out;
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
        try {
            Class.forName("io.flinkgpu.examples." + program)
                    .getMethod("main", String[].class)
                    .invoke(null, (Object) new String[0]);
        } finally {
            System.setOut(before);
        }
        return out.toString(StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @MethodSource("pages")
    void javaIsOfProgramsThatRun(Path page) throws IOException {
        String text = Files.readString(page);
        List<String> sources = new ArrayList<>();
        for (MatchResult program : PROGRAM.matcher(text).results().toList()) {
            sources.add(stripped(Files.readString(FOLDER.resolve(program.group(1)))));
        }
        sources.add(
                stripped(
                        Files.readString(
                                Path.of("src/test/java/io/flinkgpu/examples/TutorialsTest.java"))));
        List<String> blocks = blocks(text, "java");
        assertThat(blocks).isNotEmpty();
        for (String block : blocks) {
            assertThat(sources).as(block).anyMatch(source -> source.contains(stripped(block)));
        }
    }

    /** Lines of windows that fire at once are in no order. */
    @ParameterizedTest
    @MethodSource("pages")
    void programsPrintWhatIsShown(Path page) throws Exception {
        String text = Files.readString(page);
        List<MatchResult> runs = RUN.matcher(text).results().toList();
        assertThat(runs.size()).isEqualTo(page.endsWith("redact-kafka-logs.md") ? 0 : 1);
        for (MatchResult run : runs) {
            assertThat(printed(run.group(1)).lines())
                    .containsExactlyInAnyOrderElementsOf(run.group(2).lines().toList());
        }
    }

    @Test
    void rulesOfTheKafkaTutorialDoWhatItSays() throws Exception {
        String page = Files.readString(FOLDER.resolve("redact-kafka-logs.md"));
        RuleSet rules = RuleFiles.parse("rules.yaml", blocks(page, "yaml").get(0));
        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment();
        String[] shown = {"TICKET-123456 of jane@example.com", "[TICKET] of [EMAIL]"};
        List<String> redacted =
                GpuStreams.redact(
                                env.fromData(shown[0]),
                                text -> text,
                                (text, clean) -> clean,
                                rules,
                                GpuOptions.DEFAULT)
                        .executeAndCollect(2);
        assertThat(redacted).containsExactly(shown[1]);
        assertThat(page).contains("`" + shown[0] + "`").contains("`" + shown[1] + "`");
    }

    @Test
    void windowsThatOverlapAndLateReadings() throws Exception {
        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment();
        env.setParallelism(1);
        DataStream<Reading> readings =
                env.fromData(
                                new Reading("roof", 5, 30.1),
                                new Reading("roof", 200, 31.0),
                                new Reading("roof", 6, 29.0))
                        .assignTimestampsAndWatermarks(
                                WatermarkStrategy.<Reading>forGenerator(c -> new EachRecord())
                                        .withTimestampAssigner((r, none) -> r.second() * 1000L));
        OutputTag<Reading> late = new OutputTag<>("late", TypeInformation.of(Reading.class));
        SingleOutputStreamOperator<WindowResult<String>> results =
                GpuStreams.on(readings)
                        .keyBy(Reading::sensor)
                        .window(
                                SlidingEventTimeWindows.of(
                                        Duration.ofMinutes(1), Duration.ofSeconds(10)))
                        .sideOutputLateData(late)
                        .aggregate(Aggregates.of(Reading::temperature).named("t").max().count());
        DataStream<Reading> tooLate = results.getSideOutput(late);
        List<String> windows = new ArrayList<>();
        List<Reading> lates = new ArrayList<>();
        Iterator<String> fired =
                results.map(window -> "" + window.values().getLong("t_count")).collectAsync();
        Iterator<Reading> left = tooLate.collectAsync();
        env.execute("tutorial");
        fired.forEachRemaining(windows::add);
        left.forEachRemaining(lates::add);
        assertThat(windows).hasSize(12).containsOnly("1");
        assertThat(lates).containsExactly(new Reading("roof", 6, 29.0));
    }

    /** So that a record is late as soon as another is later. */
    private static final class EachRecord implements WatermarkGenerator<Reading> {

        @Override
        public void onEvent(Reading reading, long millis, WatermarkOutput output) {
            output.emitWatermark(new Watermark(millis));
        }

        @Override
        public void onPeriodicEmit(WatermarkOutput output) {}
    }
}
