package io.flinkgpu.api;

import org.apache.flink.annotation.PublicEvolving;

import java.io.Serializable;
import java.time.Duration;

/**
 * How large a record of several lines may be, and how long its end is waited for. What comes of a record over one
 * of these limits is never judged by itself, as a secret may start before it. Immutable; travels in the job graph.
 *
 * @param maxBytes of a record with the ends of its lines, 1 byte to 256 MiB
 * @param maxLines of a record, at least 1
 * @param maxWait how long a file that is followed may stay as it is before its last record counts as whole; lines
 *     that such a record gets later are over the limit. Zero to 36,500 days
 * @param longer what becomes of a record that is over a limit of bytes or lines, and of lines that came too late
 */
@PublicEvolving
public record RecordLimits(int maxBytes, int maxLines, Duration maxWait, LongLine longer)
        implements Serializable {

    private static final long serialVersionUID = 1L;

    private static final int MOST_BYTES = 256 << 20;
    private static final Duration LONGEST_WAIT = Duration.ofDays(36_500);

    /** What stands in place of a record that is over a limit. */
    public static final String LABEL = "[RECORD TOO LONG]";

    /** 1 MiB, 10,000 lines, 10 s, or the job fails. */
    public static final RecordLimits DEFAULT =
            new RecordLimits(1 << 20, 10_000, Duration.ofSeconds(10), LongLine.FAIL);

    public RecordLimits {
        Errors.present("maxWait", maxWait);
        Errors.present("longer", longer);
        if (maxBytes < 1 || maxBytes > MOST_BYTES) {
            throw Errors.argument(
                    "a record of several lines has 1 byte to 256 MiB: maxBytes=%s", maxBytes);
        }
        if (maxLines < 1) {
            throw Errors.argument("a record has a line at least: maxLines=%s", maxLines);
        }
        if (maxWait.isNegative() || maxWait.compareTo(LONGEST_WAIT) > 0) {
            throw Errors.argument(
                    "the end of a record is waited for 0 to 36,500 days: maxWait=%s; use for"
                            + " example Duration.ofSeconds(10)",
                    maxWait);
        }
    }

    /** These limits with another of bytes. */
    public RecordLimits withMaxBytes(int bytes) {
        return new RecordLimits(bytes, maxLines, maxWait, longer);
    }

    /** These limits with another of lines. */
    public RecordLimits withMaxLines(int lines) {
        return new RecordLimits(maxBytes, lines, maxWait, longer);
    }

    /** These limits with another time to wait for a record's end. */
    public RecordLimits withMaxWait(Duration wait) {
        return new RecordLimits(maxBytes, maxLines, wait, longer);
    }

    /** These limits with another answer to records that are over one. */
    public RecordLimits onLonger(LongLine answer) {
        return new RecordLimits(maxBytes, maxLines, maxWait, answer);
    }
}
