package io.flinkgpu.backend;

import java.io.Serializable;

/**
 * How the time of a line becomes its slice: the greatest {@code offsetMillis + n * sliceMillis} that is
 * not behind it.
 *
 * @param field of the format; its type is a timestamp
 * @param sliceMillis at least 1
 * @param offsetMillis 0 to {@code sliceMillis - 1}
 */
public record TimeSlices(int field, long sliceMillis, long offsetMillis) implements Serializable {

    private static final long serialVersionUID = 1L;

    /** The slice of all lines where there is no time. */
    public static final long NONE = Long.MIN_VALUE;

    /** The slice of a time, which is at least {@code Long.MIN_VALUE / 2} and at most its opposite. */
    public long sliceOf(long timestamp) {
        return timestamp - Math.floorMod(timestamp - offsetMillis, sliceMillis);
    }
}
