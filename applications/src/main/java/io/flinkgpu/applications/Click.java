package io.flinkgpu.applications;

import io.flinkgpu.api.lookup.LookupRequest;

/**
 * A sample.
 *
 * @param number of it
 * @param madeNanos when it was made, as of {@link System#nanoTime}
 * @param numbers 13 of them
 * @param ids one of each table
 */
public record Click(long number, long madeNanos, float[] numbers, long[] ids) {

    /** What its score depends on. */
    LookupRequest request() {
        return LookupRequest.ofIds(ids, numbers);
    }
}
