package io.flinkgpu.testkit;

import java.util.concurrent.atomic.LongAdder;

/** Counts pairs of a rule set and a row that were compared, and those of a kind. Thread-safe. */
final class FuzzTally {

    private final LongAdder sets = new LongAdder();
    private final LongAdder pairs = new LongAdder();
    private final LongAdder changed = new LongAdder();
    private final LongAdder viewed = new LongAdder();
    private final LongAdder malformed = new LongAdder();

    /** Counts the pairs of one more rule set. */
    void add(int newPairs, long newlyChanged, long newlyViewed, long newlyMalformed) {
        sets.increment();
        pairs.add(newPairs);
        changed.add(newlyChanged);
        viewed.add(newlyViewed);
        malformed.add(newlyMalformed);
    }

    long pairs() {
        return pairs.sum();
    }

    /** Pairs in which something is replaced. */
    long changed() {
        return changed.sum();
    }

    /** Pairs of a row that reads as something else, too. */
    long viewed() {
        return viewed.sum();
    }

    /** Pairs of a record that is not of its format. */
    long malformed() {
        return malformed.sum();
    }

    @Override
    public String toString() {
        return String.format(
                "%d pairs, %d changed, %d with views, %d malformed, %d rule sets",
                pairs(), changed(), viewed(), malformed(), sets.sum());
    }
}
