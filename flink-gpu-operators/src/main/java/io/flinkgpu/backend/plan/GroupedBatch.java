package io.flinkgpu.backend.plan;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.util.MemoryUtil;

/**
 * The groups of a batch, in the order of their first rows, and for each group and value what an
 * aggregation has to keep. The receiver closes it.
 *
 * <p>All is in 64-bit words, one array of {@code groups} words after the other, as {@link
 * GroupedLayout} says:
 *
 * <pre>
 *   first row | key id (0 where keys are bytes) | slice | then for each value:
 *   count | min, max (if needed) | specials (floating sums) | bin, bin, ... (if a sum is needed)
 * </pre>
 *
 * <p>Min and max are integers or {@link io.flinkgpu.exact.DoubleOrder} longs, and mean nothing where
 * the count is 0. The sum of a floating value is in bins of the {@link io.flinkgpu.exact.BinaryGrid},
 * as many as the batch's exponents need; that of an integer is in two: {@code bin 0 + 2^32 * bin 1}. A
 * row adds less than 2^32 to a bin, and a batch has fewer than 2^31 rows, so no bin overflows.
 */
public final class GroupedBatch implements AutoCloseable {

    /** The bins of an integer's sum. */
    public static final int INTEGER_BINS = 2;

    private final AggregatePlan plan;
    private final GroupedLayout layout;
    private final int groups;
    private final ArrowBuf words;
    private final int[] firstBins;
    private final int[] bins;
    private final long deviceNanos;

    /**
     * @param words laid out as above; owned from here on
     * @param firstBins for each value the grid's bin that its bin 0 is; 0 for integers
     * @param bins for each value how many bins there are; 0 where no sum is needed
     * @param deviceNanos time the device, or on the CPU the thread, worked on the batch
     */
    public GroupedBatch(
            AggregatePlan plan,
            int groups,
            ArrowBuf words,
            int[] firstBins,
            int[] bins,
            long deviceNanos) {
        this.plan = plan;
        this.layout = new GroupedLayout(plan, bins);
        this.groups = groups;
        this.words = words;
        this.firstBins = firstBins.clone();
        this.bins = bins.clone();
        this.deviceNanos = deviceNanos;
    }

    public int groups() {
        return groups;
    }

    /** The first row of the batch that is in the group. */
    public int firstRow(int group) {
        return (int) word(GroupedLayout.FIRST_ROW, group);
    }

    /** The key column's value, where keys are ids. */
    public int keyId(int group) {
        return (int) word(GroupedLayout.KEY_ID, group);
    }

    public long slice(int group) {
        return word(GroupedLayout.SLICE, group);
    }

    /** Values that are not null. */
    public long count(int value, int group) {
        return word(layout.count(value), group);
    }

    /** The least value, where the plan needs it. */
    public long min(int value, int group) {
        return word(layout.min(value), group);
    }

    /** The greatest value, where the plan needs it. */
    public long max(int value, int group) {
        return word(layout.max(value), group);
    }

    /** The grid's bin that {@code bin(value, 0, group)} is; 0 for integers. */
    public int firstBin(int value) {
        return firstBins[value];
    }

    /** How many bins a sum has; 0 where none is needed. */
    public int bins(int value) {
        return bins[value];
    }

    public long bin(int value, int bin, int group) {
        return word(layout.bin(value, bin), group);
    }

    /** Infinities and NaN among the values, as the grid names them; 0 for integers. */
    public int specials(int value, int group) {
        return GroupedLayout.hasSpecials(plan.values().get(value))
                ? (int) word(layout.specials(value), group)
                : 0;
    }

    public long deviceNanos() {
        return deviceNanos;
    }

    @Override
    public void close() {
        words.close();
    }

    private long word(int array, int group) {
        return MemoryUtil.getLong(
                words.memoryAddress() + Long.BYTES * ((long) array * groups + group));
    }
}
