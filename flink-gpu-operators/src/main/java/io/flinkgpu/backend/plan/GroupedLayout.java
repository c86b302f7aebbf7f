package io.flinkgpu.backend.plan;

import io.flinkgpu.api.ValueSpec;

/**
 * Which array of a {@link GroupedBatch} holds what: array {@code i} starts at word {@code i * groups}.
 */
public final class GroupedLayout {

    public static final int FIRST_ROW = 0;
    public static final int KEY_ID = 1;
    public static final int SLICE = 2;

    private static final int FIRST_VALUE = 3;

    private final int[] counts;
    private final int[] minima;
    private final int[] specials;
    private final int[] sums;
    private final int arrays;

    /**
     * @param bins for each value how many bins there are; 0 where no sum is needed
     */
    public GroupedLayout(AggregatePlan plan, int[] bins) {
        int values = plan.values().size();
        counts = new int[values];
        minima = new int[values];
        specials = new int[values];
        sums = new int[values];
        int next = FIRST_VALUE;
        for (int i = 0; i < values; i++) {
            ValueSpec value = plan.values().get(i);
            counts[i] = next++;
            minima[i] = next;
            next += value.needsMinMax() ? 2 : 0;
            specials[i] = next;
            next += hasSpecials(value) ? 1 : 0;
            sums[i] = next;
            next += bins[i];
        }
        arrays = next;
    }

    /** Whether infinities and NaN among a value are kept apart from its sum. */
    public static boolean hasSpecials(ValueSpec value) {
        return value.needsSum() && value.type().isFloating();
    }

    /** How many arrays there are, which is the words that a group takes. */
    public int arrays() {
        return arrays;
    }

    public int count(int value) {
        return counts[value];
    }

    public int min(int value) {
        return minima[value];
    }

    public int max(int value) {
        return minima[value] + 1;
    }

    public int specials(int value) {
        return specials[value];
    }

    public int bin(int value, int bin) {
        return sums[value] + bin;
    }
}
