package io.flinkgpu.backend.plan;

import org.apache.flink.annotation.Internal;

import java.io.Serializable;

/**
 * How the time of a line becomes its slice: the greatest {@code offsetMillis + n * sliceMillis} that is
 * not after it.
 *
 * @param field of the format; its type is a timestamp
 * @param sliceMillis 1 to {@code Long.MAX_VALUE / 4}
 * @param offsetMillis 0 to {@code sliceMillis - 1}
 */
@Internal
public record TimeSlices(int field, long sliceMillis, long offsetMillis) implements Serializable {

    private static final long serialVersionUID = 1L;

    /** The slice of all lines where there is no time. */
    public static final long NONE = Long.MIN_VALUE;

    public TimeSlices {
        if (field < 0
                || sliceMillis < 1
                || sliceMillis > Long.MAX_VALUE / 4
                || offsetMillis < 0
                || offsetMillis >= sliceMillis) {
            throw new IllegalArgumentException(
                    "slices are 1 ms to 73 million years, their offset is 0 or more and less than"
                            + " that: field="
                            + field
                            + ", sliceMillis="
                            + sliceMillis
                            + ", offsetMillis="
                            + offsetMillis);
        }
    }

    /** The slice of a time, which is {@code Long.MIN_VALUE / 2} to {@code Long.MAX_VALUE / 2}. */
    public long sliceOf(long timestamp) {
        return timestamp - Math.floorMod(timestamp - offsetMillis, sliceMillis);
    }
}
