package io.flinkgpu.backend.plan;

import io.flinkgpu.words.WordLayout;

import org.apache.flink.annotation.Internal;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.util.MemoryUtil;

/**
 * The groups of a batch, in the order of their first rows, and for each group and value what an
 * aggregation has to keep. The receiver closes it.
 *
 * <p>All is in 64-bit words, one array of {@code groups} words after the other, as {@link
 * #layout} says:
 *
 * <pre>
 *   first row | key id (0 where keys are bytes) | slice | then for each value:
 *   count | min, max (if needed) | specials (floating sums) | bin, bin, ... (if a sum is needed)
 *   | bin, bin, ... of squares (if needed)
 * </pre>
 *
 * <p>Min and max are integers or {@link io.flinkgpu.exact.DoubleOrder} longs, and mean nothing where
 * the count is 0. The sum of a floating value is in bins of the {@link io.flinkgpu.exact.BinaryGrid},
 * as many as the batch's exponents need; that of an integer is in two: {@code bin 0 + 2^32 * bin 1}. A
 * row adds less than 2^32 to a bin, and a batch has fewer than 2^31 rows, so no bin overflows. Squares have
 * twice as many bins, of the {@link io.flinkgpu.exact.SquareGrid}, of which the first is twice the sum's.
 */
@Internal
public final class GroupedBatch implements AutoCloseable {

    public static final int FIRST_ROW = 0;
    public static final int KEY_ID = 1;
    public static final int SLICE = 2;
    private static final int FIRST_VALUE = 3;

    private final WordLayout layout;
    private final int groups;
    private final ArrowBuf words;
    private final int[] firstBins;
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
        this.layout = layout(plan, bins);
        this.groups = groups;
        this.words = words;
        this.firstBins = firstBins.clone();
        this.deviceNanos = deviceNanos;
    }

    /**
     * The words of a group.
     *
     * @param bins for each floating value how many bins its sum has
     */
    public static WordLayout layout(AggregatePlan plan, int[] bins) {
        return new WordLayout(
                FIRST_VALUE,
                plan.values(),
                value ->
                        plan.values().get(value).type().isFloating()
                                ? bins[value]
                                : WordLayout.INTEGER_BINS);
    }

    public int groups() {
        return groups;
    }

    /** The first row of the batch that is in the group. */
    public int firstRow(int group) {
        return (int) word(FIRST_ROW, group);
    }

    /** The key column's value, where keys are ids. */
    public int keyId(int group) {
        return (int) word(KEY_ID, group);
    }

    public long slice(int group) {
        return word(SLICE, group);
    }

    /** Which arrays there are; each has a word for each group. */
    public WordLayout layout() {
        return layout;
    }

    /** The grid's bin that a floating sum's first word is; 0 for integers. */
    public int firstBin(int value) {
        return firstBins[value];
    }

    /** A word of an array. */
    public long word(int array, int group) {
        return MemoryUtil.getLong(address(array) + (long) Long.BYTES * group);
    }

    /** Where the words of an array are, one after the other. */
    public long address(int array) {
        return words.memoryAddress() + (long) Long.BYTES * array * groups;
    }

    public long deviceNanos() {
        return deviceNanos;
    }

    @Override
    public void close() {
        words.close();
    }
}
