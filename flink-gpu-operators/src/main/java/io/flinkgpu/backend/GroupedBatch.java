package io.flinkgpu.backend;

import org.apache.arrow.memory.ArrowBuf;

/**
 * The groups of a batch, in the order of their first rows, and for each group and value what an
 * aggregation has to keep. The receiver closes it.
 *
 * <p>All is in 64-bit words, one array of {@code groups} words after the other:
 *
 * <pre>
 *   first row | key id (0 where keys are bytes) | slice | then for each value:
 *   count | min, max (if needed) | specials (floating sums) | bin, bin, ... (if a sum is needed)
 * </pre>
 *
 * <p>Min and max are integers or {@link io.flinkgpu.exact.DoubleOrder} longs, and mean nothing where
 * the count is 0. The sum of a floating value is in bins of the {@link io.flinkgpu.exact.BinaryGrid},
 * as many as the batch's exponents need; that of an integer is in two: {@code bin 0 + 2^32 * bin 1}.
 */
public final class GroupedBatch implements AutoCloseable {

    /** The bins of an integer's sum. */
    public static final int INTEGER_BINS = 2;

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
            long deviceNanos) {}

    /** The 64-bit words that a group takes. */
    public static int wordsPerGroup(AggregatePlan plan, int[] bins) {
        throw new UnsupportedOperationException();
    }

    public int groups() {
        throw new UnsupportedOperationException();
    }

    /** The first row of the batch that is in the group. */
    public int firstRow(int group) {
        throw new UnsupportedOperationException();
    }

    /** The key column's value, where keys are ids. */
    public int keyId(int group) {
        throw new UnsupportedOperationException();
    }

    public long slice(int group) {
        throw new UnsupportedOperationException();
    }

    /** Values that are not null. */
    public long count(int value, int group) {
        throw new UnsupportedOperationException();
    }

    public long min(int value, int group) {
        throw new UnsupportedOperationException();
    }

    public long max(int value, int group) {
        throw new UnsupportedOperationException();
    }

    /** The grid's bin that {@code bin(value, 0, group)} is; 0 for integers. */
    public int firstBin(int value) {
        throw new UnsupportedOperationException();
    }

    /** How many bins a sum has; 0 where none is needed. */
    public int bins(int value) {
        throw new UnsupportedOperationException();
    }

    public long bin(int value, int bin, int group) {
        throw new UnsupportedOperationException();
    }

    /** Infinities and NaN among the values, as the grid names them; 0 for integers. */
    public int specials(int value, int group) {
        throw new UnsupportedOperationException();
    }

    public long deviceNanos() {
        throw new UnsupportedOperationException();
    }

    @Override
    public void close() {}
}
