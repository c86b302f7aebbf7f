package io.flinkgpu.applications;

import io.flinkgpu.api.search.SetChange;

/**
 * A line becomes one that others are compared with, or ceases to be.
 *
 * @param at the number of the line that has come then
 * @param number of the line that changes
 * @param shingles null where the line is deleted
 */
public record LineChange(long at, long number, int[] shingles) {

    /** Before the query of the next line. */
    long time() {
        return 2 * at + 1;
    }

    SetChange change() {
        return shingles == null ? SetChange.delete(number) : SetChange.upsert(number, shingles);
    }
}
