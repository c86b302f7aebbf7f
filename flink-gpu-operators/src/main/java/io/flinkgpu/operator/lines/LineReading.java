package io.flinkgpu.operator.lines;

import io.flinkgpu.api.lines.Delimited;
import io.flinkgpu.api.lines.Malformed;
import io.flinkgpu.api.lines.MalformedLine;

import org.apache.flink.annotation.Internal;
import org.apache.flink.util.OutputTag;

import java.io.Serializable;
import java.util.Objects;

/**
 * How lines are read, whatever is made of them. Immutable; travels in the job graph.
 *
 * @param malformed what becomes of malformed lines, if they have no tag
 * @param malformedTag where malformed lines go; null for nowhere
 * @param timeField the field that is the time of a line; {@link #NO_TIME} if there is none
 * @param maxOutOfOrdernessMillis how far behind the greatest time so far a line may come
 */
@Internal
public record LineReading(
        Delimited format,
        Malformed malformed,
        OutputTag<MalformedLine> malformedTag,
        int timeField,
        long maxOutOfOrdernessMillis)
        implements Serializable {

    private static final long serialVersionUID = 1L;

    public static final int NO_TIME = -1;

    public LineReading {
        Objects.requireNonNull(format, "format");
        Objects.requireNonNull(malformed, "malformed");
    }

    /** Fields of a format; malformed lines fail the job, and lines have no time. */
    public static LineReading of(Delimited format) {
        return new LineReading(format, Malformed.FAIL, null, NO_TIME, 0);
    }

    public LineReading withMalformed(Malformed policy) {
        return new LineReading(
                format,
                Objects.requireNonNull(policy, "policy"),
                null,
                timeField,
                maxOutOfOrdernessMillis);
    }

    public LineReading withMalformed(OutputTag<MalformedLine> tag) {
        return new LineReading(
                format,
                Malformed.SKIP,
                Objects.requireNonNull(tag, "tag"),
                timeField,
                maxOutOfOrdernessMillis);
    }

    public LineReading withTime(int field, long outOfOrdernessMillis) {
        return new LineReading(format, malformed, malformedTag, field, outOfOrdernessMillis);
    }

    public boolean hasTime() {
        return timeField != NO_TIME;
    }
}
