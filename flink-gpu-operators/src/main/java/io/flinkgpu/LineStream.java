package io.flinkgpu;

import io.flinkgpu.api.Errors;
import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.api.Lines;
import io.flinkgpu.api.lines.Delimited;
import io.flinkgpu.api.lines.Field;
import io.flinkgpu.api.lines.FieldFormat;
import io.flinkgpu.api.lines.LineMapper;
import io.flinkgpu.api.lines.Malformed;
import io.flinkgpu.api.lines.MalformedLine;
import io.flinkgpu.operator.lines.LineReading;
import io.flinkgpu.operator.lines.LineRecordsOperatorFactory;
import io.flinkgpu.operator.lines.LineRows;

import org.apache.flink.annotation.PublicEvolving;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.types.Row;
import org.apache.flink.util.OutputTag;

import java.time.Duration;

/**
 * Lines of files that are cut into fields. Immutable: each method gives a changed copy.
 *
 * <p>Lines that are grouped and aggregated here never become records; {@link #rows()} makes records of
 * them for everything else.
 */
@PublicEvolving
public final class LineStream {

    private static final String ROWS = "gpu-line-rows";

    /** Far from the edges of a long of milliseconds. */
    private static final Duration MAX_OUT_OF_ORDERNESS = Duration.ofDays(100_000_000);

    private final DataStream<Lines> stream;
    private final LineReading reading;
    private final GpuOptions options;

    LineStream(DataStream<Lines> stream, LineReading reading, GpuOptions options) {
        this.stream = stream;
        this.reading = reading;
        this.options = options;
    }

    /** Backend, batches and memory of the operators; {@link GpuOptions#DEFAULT} if not called. */
    public LineStream withOptions(GpuOptions options) {
        return new LineStream(stream, reading, JobChecks.present("options", options));
    }

    /**
     * What becomes of lines that do not have the fields of the format; {@link Malformed#FAIL} if not
     * called. All of them are counted.
     */
    public LineStream malformed(Malformed policy) {
        return new LineStream(
                stream, reading.withMalformed(JobChecks.present("policy", policy)), options);
    }

    /** Where lines go that do not have the fields of the format: a side output of what is made here. */
    public LineStream malformed(OutputTag<MalformedLine> tag) {
        return new LineStream(stream, reading.withMalformed(JobChecks.copy(tag)), options);
    }

    /**
     * The field that is the time of a line. Watermarks follow: each is a millisecond and the
     * out-of-orderness behind the greatest time so far, in each subtask. Watermarks of the source mean
     * nothing then, but the last.
     *
     * @param field a timestamp
     * @param maxOutOfOrderness how much later than a line another may come that is older
     * @throws IllegalArgumentException if there is no such field, it is not a timestamp, or the
     *     out-of-orderness is negative or beyond all bounds
     */
    public LineStream eventTime(String field, Duration maxOutOfOrderness) {
        JobChecks.present("maxOutOfOrderness", maxOutOfOrderness);
        int index = reading.format().indexOf(JobChecks.present("field", field));
        Field found = reading.format().fields().get(index);
        if (!found.isTimestamp()) {
            throw Errors.argument(
                    "the time of a line is a timestamp: field='%s', type=%s; declare it with"
                            + " epochMillis(..) or isoTimestamp(..)",
                    field, found.type());
        }
        if (maxOutOfOrderness.isNegative()) {
            throw Errors.argument(
                    "the out-of-orderness must not be negative: maxOutOfOrderness=%s; use"
                            + " Duration.ZERO for lines in order",
                    maxOutOfOrderness);
        }
        if (maxOutOfOrderness.compareTo(MAX_OUT_OF_ORDERNESS) > 0) {
            throw Errors.argument(
                    "the out-of-orderness is at most %s days: maxOutOfOrderness=%s; for lines in"
                            + " any order use the window to the end of the stream",
                    MAX_OUT_OF_ORDERNESS.toDays(), maxOutOfOrderness);
        }
        return new LineStream(
                stream, reading.withTime(index, maxOutOfOrderness.toMillis()), options);
    }

    /**
     * A row of each line, in the order they come: every field but the skipped ones, found by position
     * and by name. Strings are {@code String}; numbers are {@code Integer}, {@code Long}, {@code Double}
     * or {@code BigDecimal}, null where they are empty; timestamps are {@code Long}, epoch milliseconds.
     * With an event time the rows have timestamps and watermarks; malformed lines with a tag are the
     * stream's side output.
     */
    public SingleOutputStreamOperator<Row> rows() {
        return records(new LineRows(reading.format()), LineRows.type(reading.format()));
    }

    /**
     * A record of each line, in the order they come, as {@link #rows()} has them: for records that cost less
     * than a row and its objects do.
     *
     * @param mapper makes a record, or leaves the line out; what it throws fails the job
     * @param type of the records
     * @throws IllegalArgumentException if the mapper cannot be serialized
     */
    public <T> SingleOutputStreamOperator<T> map(LineMapper<T> mapper, TypeInformation<T> type) {
        JobChecks.present("mapper", mapper);
        return records(
                JobChecks.cleaned(stream.getExecutionEnvironment(), "mapper", mapper),
                JobChecks.present("type", type));
    }

    private <T> SingleOutputStreamOperator<T> records(
            LineMapper<T> mapper, TypeInformation<T> type) {
        return WindowStream.chained(
                stream.transform(
                        ROWS,
                        type,
                        new LineRecordsOperatorFactory<>(reading, mapper, options.errorValues())),
                stream);
    }

    /**
     * Groups lines by a field.
     *
     * @throws IllegalArgumentException if there is no such field, or it is not a string
     */
    public KeyedLineStream keyBy(String field) {
        Delimited format = reading.format();
        int index = format.indexOf(JobChecks.present("field", field));
        FieldFormat read = format.fields().get(index).format();
        if (read != FieldFormat.STRING) {
            throw Errors.argument(
                    "lines are grouped by a string: field='%s', type=%s; declare it with"
                            + " string(..), or use rows() and GpuStreams.on(rows).keyBy(..)",
                    field, read);
        }
        return new KeyedLineStream(stream, reading, options, index);
    }

    /** Checks that lines can have the fields of a format, and one that is read. */
    static void checkFormat(Delimited format) {
        if (format.fields().stream().allMatch(field -> field.format() == FieldFormat.SKIPPED)) {
            throw Errors.argument(
                    "a format needs a field that is read: fields=%s, all of them skipped; add one,"
                            + " for example string(\"key\")",
                    format.fields().size());
        }
        for (Field field : format.fields()) {
            if (field.format() == FieldFormat.ISO_TIMESTAMP
                    && format.separator() == ':'
                    && !format.isQuoted()) {
                throw Errors.argument(
                        "an ISO timestamp has the separator in it: separator=':', field='%s'; use"
                                + " another separator, or quoted() if the field is in quotes",
                        field.name());
            }
        }
    }
}
