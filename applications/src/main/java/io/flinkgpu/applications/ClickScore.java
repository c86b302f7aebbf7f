package io.flinkgpu.applications;

import io.flinkgpu.api.lookup.LookupResult;

/**
 * The score of a sample.
 *
 * @param number of the sample
 * @param score from 0 to 1
 * @param nanos from where the sample was made to here
 */
public record ClickScore(long number, float score, long nanos) {

    static ClickScore of(LookupResult<Click> result) {
        Click click = result.record();
        return new ClickScore(
                click.number(), result.values().values()[0], System.nanoTime() - click.madeNanos());
    }
}
