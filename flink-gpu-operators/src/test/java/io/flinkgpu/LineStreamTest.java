package io.flinkgpu;

import io.flinkgpu.api.Aggregates;
import io.flinkgpu.api.BatchPolicy;
import io.flinkgpu.api.ColumnType;
import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.api.LineChunk;
import io.flinkgpu.api.lines.Delimited;
import io.flinkgpu.api.lines.MalformedLine;

import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.windowing.assigners.EventTimeSessionWindows;
import org.apache.flink.streaming.api.windowing.assigners.GlobalWindows;
import org.apache.flink.streaming.api.windowing.assigners.TumblingEventTimeWindows;
import org.apache.flink.streaming.api.windowing.assigners.TumblingProcessingTimeWindows;
import org.apache.flink.types.Row;
import org.apache.flink.util.OutputTag;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

import java.time.Duration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * What is refused when a job on lines is built, and with which sentence.
 *
 * <p>Covers: LineStream, LineColumns.
 */
class LineStreamTest {

    private static final Delimited FORMAT =
            Delimited.of(';')
                    .string("key")
                    .isoTimestamp("time")
                    .doubleNumber("temp")
                    .skipped()
                    .intNumber("hum");
    private static final TumblingEventTimeWindows MINUTES =
            TumblingEventTimeWindows.of(Duration.ofMinutes(1));

    private final DataStream<LineChunk> chunks =
            StreamExecutionEnvironment.getExecutionEnvironment()
                    .fromData(new LineChunk("f", 0, new byte[0]));
    private final LineStream lines = GpuStreams.lines(chunks, FORMAT);
    private final WindowedLineStream windowed =
            lines.keyBy("key").window(GlobalWindows.createWithEndOfStreamTrigger());

    @Test
    void fieldsThatAreNotThereOrOfAnotherType() {
        refused(
                () -> lines.keyBy("kye"),
                "the format has no such field: field='kye', fields=[key, time, temp, hum];"
                        + " name one of them");
        refused(
                () -> lines.keyBy("hum"),
                "lines are grouped by a string: field='hum', type=INT; declare it with string(..), or"
                        + " use rows() and GpuStreams.on(rows).keyBy(..)");
        refused(
                () -> lines.eventTime("temp", Duration.ZERO),
                "the time of a line is a timestamp: field='temp', type=DOUBLE; declare it with"
                        + " epochMillis(..) or isoTimestamp(..)");
        refused(
                () -> lines.eventTime("time", Duration.ofMillis(-1)),
                "the out-of-orderness must not be negative: maxOutOfOrderness=PT-0.001S; use"
                        + " Duration.ZERO for lines in order");
        refused(
                () -> windowed.aggregate(Aggregates.ofField("tmep").min()),
                "the format has no such field: field='tmep', fields=[key, time, temp, hum];"
                        + " name one of them");
        refused(
                () -> windowed.aggregate(Aggregates.ofField("temp").min().andField("time").count()),
                "of lines numbers and strings are aggregated: field='time', type=ISO_TIMESTAMP; declare it"
                        + " as a number or a string, for example with doubleNumber(..), or use rows()"
                        + " and GpuStreams.on(rows)");
        refused(
                () -> windowed.aggregate(Aggregates.ofField("key").mean()),
                "only numbers are added up: column='key', aggregate=MEAN, type=TEXT; ask for min(), max(),"
                        + " first(), last() or count() of it");
        refused(
                () -> windowed.aggregate(Aggregates.ofField("key").approxQuantile("q", 0.5)),
                "a quantile is of numbers: result='q', type=TEXT; texts have min() and max()");
        refused(
                () -> windowed.aggregate(Aggregates.ofField("temp").argMax("key", "kye")),
                "the format has no such field: field='kye', fields=[key, time, temp, hum];"
                        + " name one of them");
        refused(
                () -> windowed.aggregate(Aggregates.ofField("temp").last().andField("hum").first()),
                "first() and last() are by the time of a line: columns=[temp, hum]; call"
                        + " eventTime(field, maxOutOfOrderness) before keyBy(..)");
        refused(
                () -> windowed.aggregate(Aggregates.of((Row row) -> 1).named("one").min()),
                "aggregates of lines are of fields: column='one'; use Aggregates.ofField(name),"
                        + " andField(name) and argMax(name, field), or rows() and"
                        + " GpuStreams.on(rows)");
        refused(
                () ->
                        windowed.aggregate(
                                Aggregates.ofField("temp")
                                        .argMax("key", row -> row.getField(0), ColumnType.TEXT)),
                "aggregates of lines are of fields: result='key'; use Aggregates.ofField(name),"
                        + " andField(name) and argMax(name, field), or rows() and"
                        + " GpuStreams.on(rows)");
        refused(
                () -> windowed.aggregate(Aggregates.ofField("temp")),
                "a column must compute something: column='temp'; add min(), mean(), max(), sum() or"
                        + " count()");
        refused(
                () -> GpuStreams.lines(chunks, Delimited.of(';').skipped()),
                "a format needs a field that is read: fields=1, all of them skipped; add one, for"
                        + " example string(\"key\")");
    }

    /** Every line would be malformed. */
    @Test
    void timesThatTheSeparatorCutsUnlessTheyAreInQuotes() {
        Delimited format = Delimited.of(':').string("key").isoTimestamp("time");
        refused(
                () -> GpuStreams.lines(chunks, format),
                "an ISO timestamp has the separator in it: separator=':', field='time'; use another"
                        + " separator, or quoted() if the field is in quotes");
        assertThat(GpuStreams.lines(chunks, format.quoted())).isNotNull();
        assertThat(GpuStreams.lines(chunks, Delimited.of(':').string("key").epochMillis("time")))
                .isNotNull();
    }

    @Test
    void windowsThatNeedRowsOrATime() {
        refused(
                () -> lines.keyBy("key").window(MINUTES),
                "windows of event time need the time of a line: assigner="
                        + MINUTES
                        + "; call eventTime(field, maxOutOfOrderness) before keyBy(..)");
        LineStream timed = lines.eventTime("time", Duration.ofSeconds(1));
        assertThatThrownBy(
                        () ->
                                timed.keyBy("key")
                                        .window(
                                                EventTimeSessionWindows.withGap(
                                                        Duration.ofSeconds(1))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("lines are aggregated in tumbling and sliding windows")
                .hasMessageEndingWith(
                        "; for others use rows() and GpuStreams.on(rows).keyBy(..).window(..)");
        assertThatThrownBy(
                        () ->
                                timed.keyBy("key")
                                        .window(
                                                TumblingProcessingTimeWindows.of(
                                                        Duration.ofSeconds(1))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("use rows() and GpuStreams.on(rows)");
        refused(
                () -> windowed.allowedLateness(Duration.ofSeconds(-1)),
                "the allowed lateness must not be negative: lateness=PT-1S; use Duration.ZERO for"
                        + " none");
    }

    @Test
    void memoryAndTags() {
        refused(
                () ->
                        lines.withOptions(
                                        GpuOptions.DEFAULT
                                                .withMemoryLimitBytes(16 << 20)
                                                .withBatchPolicy(
                                                        BatchPolicy.DEFAULT
                                                                .withMaxRows(1)
                                                                .withMaxBytes(4 << 20)))
                                .keyBy("key")
                                .window(GlobalWindows.createWithEndOfStreamTrigger())
                                .aggregate(Aggregates.ofField("temp").min()),
                "the memory limit must hold the batches on their way and their results:"
                        + " memoryLimitBytes=16777216, needed=33554512 for maxRows=1 and"
                        + " maxBytes=4194304; raise the limit or lower the batch policy");
        OutputTag<MalformedLine> malformed =
                new OutputTag<>("side", TypeInformation.of(MalformedLine.class));
        refused(
                () ->
                        lines.malformed(malformed)
                                .keyBy("key")
                                .window(GlobalWindows.createWithEndOfStreamTrigger())
                                .sideOutputLateData(
                                        new OutputTag<>("side", Types.ROW(Types.STRING))),
                "late lines and malformed lines need tags of their own: id='side'; give the tags"
                        + " different ids");
    }

    @Test
    void aFieldByNameIsOneOfLinesOnly() {
        DataStream<Row> rows = lines.rows();
        refused(
                () ->
                        GpuStreams.on(rows)
                                .keyBy(row -> row.<String>getFieldAs("key"), Types.STRING)
                                .window(GlobalWindows.createWithEndOfStreamTrigger())
                                .aggregate(Aggregates.ofField("temp").min()),
                "a field by name is one of GpuStreams.lines(..): field='temp'; give a getter here, for"
                        + " example Aggregates.of((Row row) -> ..)");
    }

    @Test
    void namesAndTypes() {
        assertThat(lines.rows().getType())
                .isEqualTo(
                        Types.ROW_NAMED(
                                new String[] {"key", "time", "temp", "hum"},
                                Types.STRING,
                                Types.LONG,
                                Types.DOUBLE,
                                Types.INT));
        assertThat(windowed.aggregate(Aggregates.ofField("temp").min().andField("hum").count()))
                .satisfies(
                        results ->
                                assertThat(results.getType().toString()).contains("temp", "hum"));
    }

    private static void refused(ThrowingCallable call, String message) {
        assertThatThrownBy(call).isInstanceOf(IllegalArgumentException.class).hasMessage(message);
    }
}
