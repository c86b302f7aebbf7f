package io.flinkgpu.operator.lines;

import io.flinkgpu.api.ErrorValues;
import io.flinkgpu.api.lines.LineFields;
import io.flinkgpu.api.lines.Malformed;
import io.flinkgpu.api.lines.MalformedLine;
import io.flinkgpu.parse.LineParser;

import org.apache.flink.streaming.api.operators.Output;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.types.Row;

import java.util.Arrays;

/**
 * Reads lines on the host, and does with malformed ones what the user has asked for. Keeps the fields of
 * the last line. Task thread only.
 */
final class HostLines {

    private static final int MAX_SHOWN_CHARS = 100;

    private final LineReading reading;
    private final LineParser parser;
    private final LineRows rows;
    private final Output<?> output;
    private final LineMetrics metrics;
    private final ErrorValues errors;

    /**
     * @param output where malformed lines go that have a tag
     * @param errors writes text of lines into messages
     */
    HostLines(LineReading reading, Output<?> output, LineMetrics metrics, ErrorValues errors) {
        this.reading = reading;
        this.errors = errors;
        this.parser = new LineParser(reading.format(), errors);
        this.rows = new LineRows(reading.format());
        this.output = output;
        this.metrics = metrics;
    }

    /**
     * Reads {@code bytes[from, to)}, a line without its {@code '\n'}.
     *
     * @param offsetBytes where it starts in the file
     * @return whether it has the fields of the format; if not, it was dealt with
     * @throws IllegalArgumentException if it has not, and that fails the job
     */
    boolean read(byte[] bytes, int from, int to, String file, long offsetBytes) {
        String reason = parser.parse(bytes, from, to);
        if (reason == null) {
            return true;
        }
        metrics.malformed.add(1);
        if (reading.malformedTag() != null) {
            byte[] line = Arrays.copyOfRange(bytes, from, to);
            output.collect(
                    reading.malformedTag(),
                    new StreamRecord<>(new MalformedLine(file, offsetBytes, line, reason)));
        } else if (reading.malformed() == Malformed.FAIL) {
            throw new IllegalArgumentException(
                    "a line does not have the fields of its format: file="
                            + file
                            + ", offsetBytes="
                            + offsetBytes
                            + ", line="
                            + errors.shown(bytes, from, to, MAX_SHOWN_CHARS)
                            + ", reason: "
                            + reason
                            + "; correct it, or use malformed(Malformed.SKIP) or malformed(tag), in SQL"
                            + " 'malformed' = 'skip'"
                            + errors.remedy()
                            + (errors.remedy().isEmpty()
                                    ? ""
                                    : ", in SQL 'error-detail' = 'full'"));
        }
        return false;
    }

    /** The time of the last line; there is a field for it. */
    long timestamp() {
        return parser.word(reading.timeField());
    }

    /** The fields of the last line. */
    LineFields fields() {
        return parser;
    }

    /** The last line as a row. */
    Row row() {
        return rows.map(parser);
    }
}
