package io.flinkgpu;

import io.flinkgpu.api.Action;
import io.flinkgpu.api.Aggregates;
import io.flinkgpu.api.ColumnType;
import io.flinkgpu.api.DeadLetter;
import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.api.LineChunk;
import io.flinkgpu.api.Rule;
import io.flinkgpu.api.RuleSet;
import io.flinkgpu.api.TextFields;
import io.flinkgpu.api.TooLongLine;
import io.flinkgpu.api.WindowMapper;
import io.flinkgpu.api.WindowResult;
import io.flinkgpu.api.lines.Delimited;
import io.flinkgpu.api.lines.Malformed;
import io.flinkgpu.api.lines.MalformedLine;

import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.windowing.assigners.GlobalWindows;
import org.apache.flink.streaming.api.windowing.assigners.TumblingEventTimeWindows;
import org.apache.flink.types.Row;
import org.apache.flink.util.OutputTag;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Arguments that are not there, or beyond all bounds, are named when the job is built.
 *
 * <p>Covers: WindowedLineStream.
 */
class BuilderArgumentsTest {

    private static final RuleSet RULES = RuleSet.of(Rule.of("x", "x", Action.label("[X]")));
    private static final GpuOptions OPTIONS = GpuOptions.DEFAULT;
    private static final TextFields<String> FIELDS =
            TextFields.<String>empty().text("t", text -> text, (record, text) -> text);

    private final StreamExecutionEnvironment env =
            StreamExecutionEnvironment.getExecutionEnvironment();
    private final DataStream<String> stream = env.fromData("x");
    private final DataStream<LineChunk> chunks =
            env.fromData(new LineChunk("f", 0, new byte[] {'\n'}));
    private final GpuStream<String> gpu = GpuStreams.on(stream);
    private final KeyedGpuStream<String, String> keyed = gpu.keyBy(text -> text, Types.STRING);
    private final WindowedGpuStream<String, String> windows =
            keyed.window(TumblingEventTimeWindows.of(Duration.ofSeconds(1)));
    private final LineStream lines =
            GpuStreams.lines(chunks, Delimited.of(';').string("a").longNumber("n"));

    @Test
    void nullsAreNamed() {
        Map<ThrowingCallable, String> calls = new LinkedHashMap<>();
        calls.put(() -> GpuStreams.on(null), "stream");
        calls.put(() -> GpuStreams.lines(null, Delimited.of(';').string("a")), "stream");
        calls.put(() -> GpuStreams.lines(chunks, null), "format");
        calls.put(() -> GpuStreams.redact(null, FIELDS, RULES, OPTIONS), "stream");
        calls.put(
                () -> GpuStreams.redact(stream, (TextFields<String>) null, RULES, OPTIONS),
                "fields");
        calls.put(() -> GpuStreams.redact(stream, FIELDS, null, OPTIONS), "rules");
        calls.put(() -> GpuStreams.redact(stream, FIELDS, RULES, null), "options");
        calls.put(() -> GpuStreams.redact(stream, null, (r, t) -> t, RULES, OPTIONS), "getter");
        calls.put(() -> GpuStreams.redact(stream, r -> r, null, RULES, OPTIONS), "setter");
        calls.put(() -> GpuStreams.redact(chunks, null, OPTIONS), "rules");
        calls.put(() -> GpuStreams.redactLines(chunks, RULES, null), "options");
        calls.put(() -> GpuStreams.redactLinesTo(chunks, RULES, OPTIONS, null), "sink");
        calls.put(() -> gpu.withOptions(null), "options");
        calls.put(() -> gpu.keyBy(null), "selector");
        calls.put(() -> gpu.keyBy(null, Types.STRING), "selector");
        calls.put(() -> gpu.keyBy(text -> text, null), "keyType");
        calls.put(() -> gpu.transform(null), "columns");
        calls.put(() -> keyed.window(null), "assigner");
        calls.put(() -> keyed.every(null), "every");
        calls.put(() -> windows.trigger(null), "trigger");
        calls.put(() -> windows.allowedLateness(null), "lateness");
        calls.put(() -> windows.sideOutputLateData(null), "tag");
        calls.put(() -> windows.deadLetters((OutputTag<DeadLetter<String>>) null), "tag");
        calls.put(() -> windows.aggregate(null), "aggregates");
        calls.put(
                () -> windows.aggregate(count(), (WindowMapper<String, String>) null, Types.STRING),
                "mapper");
        calls.put(
                () ->
                        windows.aggregate(
                                count(), WindowResultKey.INSTANCE, (TypeInformation<String>) null),
                "type");
        calls.put(() -> GpuStreams.redact(null, RULES, OPTIONS), "stream");
        calls.put(() -> GpuStreams.redactLines(null, RULES, OPTIONS), "stream");
        calls.put(() -> lines.withOptions(null), "options");
        calls.put(() -> lines.keyBy(null), "field");
        calls.put(() -> lines.keyBy("a").window(null), "assigner");
        WindowedLineStream lineWindows =
                lines.keyBy("a").window(GlobalWindows.createWithEndOfStreamTrigger());
        calls.put(() -> lineWindows.allowedLateness(null), "lateness");
        calls.put(() -> lineWindows.sideOutputLateData(null), "tag");
        calls.put(
                () ->
                        lines.malformed(new OutputTag<MalformedLine>("malformed") {})
                                .keyBy("a")
                                .window(GlobalWindows.createWithEndOfStreamTrigger())
                                .sideOutputLateData(null),
                "tag");
        Aggregates<Row> ofLines = Aggregates.ofField("n").count();
        calls.put(() -> lineWindows.aggregate(null), "aggregates");
        calls.put(
                () -> lineWindows.aggregate(null, WindowResultKey.INSTANCE, Types.STRING),
                "aggregates");
        calls.put(() -> lineWindows.aggregate(ofLines, null, Types.STRING), "mapper");
        calls.put(() -> lineWindows.aggregate(ofLines, WindowResultKey.INSTANCE, null), "type");
        calls.put(() -> lines.malformed((Malformed) null), "policy");
        calls.put(() -> lines.eventTime(null, Duration.ZERO), "field");
        calls.put(() -> lines.eventTime("a", null), "maxOutOfOrderness");
        assertNamed(calls);
    }

    /** Each call fails as the argument of this name is null. */
    static void assertNamed(Map<ThrowingCallable, String> calls) {
        calls.forEach(
                (call, name) ->
                        assertThatThrownBy(call)
                                .as(name)
                                .isInstanceOf(IllegalArgumentException.class)
                                .hasMessage(
                                        "an argument must not be null: "
                                                + name
                                                + "=null; give one"));
    }

    @Test
    void placesOfLongLinesAreAskedOfWhatReadsThem() {
        OutputTag<TooLongLine> tag = new OutputTag<>("long") {};
        assertThatThrownBy(() -> GpuStreams.redactLines(chunks, RULES, OPTIONS, tag))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "places of lines that are too long need ranges of files, as chunks are"
                                + " read by their source: type=LineChunk; read with"
                                + " LineFiles.ranges(), or leave out the side output");
    }

    @Test
    void timesThatNoClockReachesAreRefused() {
        Duration huge = Duration.ofSeconds(Long.MAX_VALUE);
        assertThatThrownBy(() -> keyed.every(huge))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "updates are a millisecond to 365 days apart: every="
                                + huge
                                + "; give another time, for example Duration.ofSeconds(1)");
        assertThatThrownBy(() -> windows.allowedLateness(huge))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "the allowed lateness is at most 2^63 - 1 ms: lateness="
                                + huge
                                + "; use GlobalWindows for windows that stay for ever");
    }

    @Test
    void aResultThatWasNamedIsNamedAgain() {
        Aggregates<String> twice =
                count().argMin("x", text -> 1L, ColumnType.LONG)
                        .argMax("x", text -> 1L, ColumnType.LONG);
        assertThatThrownBy(() -> windows.aggregate(twice))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "two results must not have one name: result='x'; give this one another name"
                                + " where it is asked for");
    }

    private static Aggregates<String> count() {
        return Aggregates.of((String text) -> 1L).count();
    }

    private enum WindowResultKey implements WindowMapper<String, String> {
        INSTANCE;

        @Override
        public String map(WindowResult<String> result) {
            return result.key();
        }
    }
}
