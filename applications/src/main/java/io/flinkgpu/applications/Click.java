package io.flinkgpu.applications;

import io.flinkgpu.api.lookup.Bag;
import io.flinkgpu.api.lookup.Combiner;
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
        Bag[] bags = new Bag[ids.length];
        for (int table = 0; table < bags.length; table++) {
            bags[table] = Bag.of(ClickTables.name(table), Combiner.SUM, ids[table]);
        }
        return LookupRequest.of(bags).withDense(numbers);
    }
}
