package io.flinkgpu.backend.cuda.aggregate;

import io.flinkgpu.api.ValueSpec;
import io.flinkgpu.backend.plan.AggregatePlan;
import io.flinkgpu.exact.BinaryGrid;
import io.flinkgpu.words.WordLayout;

import org.apache.flink.annotation.Internal;

import org.apache.arrow.memory.util.MemoryUtil;

/**
 * What the kernels found out about a batch before they add up its values.
 *
 * @param firstBins for each value the grid's bin that its bin 0 is; 0 for integers
 * @param bins for each value how many bins there are; 0 where no sum is needed
 */
@Internal
public record AggregateHeader(int groups, int[] firstBins, int[] bins) {

    /** The header of a batch without rows. */
    public static AggregateHeader none(AggregatePlan plan) {
        return of(plan, 0, new long[plan.values().size()]);
    }

    /** Reads the {@code group_header} struct, and the words after it, at a host address. */
    public static AggregateHeader read(long address, AggregatePlan plan) {
        return of(
                plan,
                MemoryUtil.getInt(address + GroupAbi.GROUP_HEADER_GROUPS),
                address + GroupAbi.GROUP_HEADER_BYTES);
    }

    /**
     * Reads the words that say which bins are present.
     *
     * @param address of the first value's word
     */
    public static AggregateHeader of(AggregatePlan plan, int groups, long address) {
        long[] present = new long[plan.values().size()];
        for (int i = 0; i < present.length; i++) {
            present[i] = MemoryUtil.getLong(address + 8L * i);
        }
        return of(plan, groups, present);
    }

    private static AggregateHeader of(AggregatePlan plan, int groups, long[] present) {
        int[] firstBins = new int[present.length];
        int[] bins = new int[present.length];
        for (int i = 0; i < present.length; i++) {
            ValueSpec value = plan.values().get(i);
            if (present[i] != 0) {
                firstBins[i] = Long.numberOfTrailingZeros(present[i]);
                int last = Long.SIZE - 1 - Long.numberOfLeadingZeros(present[i]);
                bins[i] = last + BinaryGrid.BINS_PER_VALUE - firstBins[i];
            } else if (value.needsSum() && !value.type().isFloating()) {
                bins[i] = WordLayout.INTEGER_BINS;
            }
        }
        return new AggregateHeader(groups, firstBins, bins);
    }
}
