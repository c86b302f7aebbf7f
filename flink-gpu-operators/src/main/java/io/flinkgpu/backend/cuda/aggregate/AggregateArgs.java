package io.flinkgpu.backend.cuda.aggregate;

import io.flinkgpu.api.ValueSpec;
import io.flinkgpu.backend.plan.AggregatePlan;
import io.flinkgpu.backend.plan.GroupedBatch;
import io.flinkgpu.words.Term;
import io.flinkgpu.words.WordLayout;

import org.apache.flink.annotation.Internal;

import org.apache.arrow.memory.util.MemoryUtil;

import java.security.SecureRandom;

/**
 * Writes what the group kernels are told. Pure: calls no driver.
 *
 * @param seedLow the key of the hash, with {@code seedHigh}
 * @param hashMask bits of hashes that are used: -1, or fewer to make keys collide in tests
 */
@Internal
public record AggregateArgs(AggregatePlan plan, long seedLow, long seedHigh, int hashMask) {

    /** With a hash that nobody outside can make keys collide in. */
    public static AggregateArgs of(AggregatePlan plan) {
        SecureRandom random = new SecureRandom();
        return new AggregateArgs(plan, random.nextLong(), random.nextLong(), -1);
    }

    /**
     * Writes the {@code group_args} struct.
     *
     * @param args host address of the struct
     * @param base where the block with this layout is on the device
     * @param words where the result is on the device
     */
    public void writeStruct(
            long args,
            AggregateInput input,
            AggregateLayout layout,
            AggregateHeader header,
            long base,
            long words) {
        boolean bytes = input.keysAreBytes();
        long keys = base + layout.keys;
        long keyData = base + layout.keyData - input.firstKeyOffset();
        MemoryUtil.putLong(args + GroupAbi.GROUP_ARGS_KEY_IDS, bytes ? 0 : keys);
        MemoryUtil.putLong(args + GroupAbi.GROUP_ARGS_KEY_OFFSETS, bytes ? keys : 0);
        MemoryUtil.putLong(args + GroupAbi.GROUP_ARGS_KEY_DATA, bytes ? keyData : 0);
        MemoryUtil.putLong(args + GroupAbi.GROUP_ARGS_SLICES, base + layout.slices);
        MemoryUtil.putLong(args + GroupAbi.GROUP_ARGS_COLUMNS, base + layout.columns);
        MemoryUtil.putLong(args + GroupAbi.GROUP_ARGS_HEADER, base);
        MemoryUtil.putLong(
                args + GroupAbi.GROUP_ARGS_BINS_PRESENT, base + GroupAbi.GROUP_HEADER_BYTES);
        MemoryUtil.putLong(args + GroupAbi.GROUP_ARGS_SCAN_STATES, base + layout.scanStates);
        MemoryUtil.putLong(args + GroupAbi.GROUP_ARGS_TABLE, base + layout.table);
        MemoryUtil.putLong(args + GroupAbi.GROUP_ARGS_ROW_GROUPS, base + layout.rowGroups);
        MemoryUtil.putLong(args + GroupAbi.GROUP_ARGS_RANKS, base + layout.ranks);
        MemoryUtil.putLong(args + GroupAbi.GROUP_ARGS_WORDS, words);
        MemoryUtil.putLong(args + GroupAbi.GROUP_ARGS_SEED_LOW, seedLow);
        MemoryUtil.putLong(args + GroupAbi.GROUP_ARGS_SEED_HIGH, seedHigh);
        MemoryUtil.putInt(args + GroupAbi.GROUP_ARGS_ROWS, input.rows());
        MemoryUtil.putInt(args + GroupAbi.GROUP_ARGS_TABLE_MASK, (int) (layout.tableEntries - 1));
        MemoryUtil.putInt(args + GroupAbi.GROUP_ARGS_HASH_MASK, hashMask);
        MemoryUtil.putInt(args + GroupAbi.GROUP_ARGS_VALUES, input.values());
        MemoryUtil.putInt(args + GroupAbi.GROUP_ARGS_GROUPS, header.groups());
    }

    /**
     * Writes the {@code value_column} structs.
     *
     * @param columns host address of the first
     * @param base where the block with this layout is on the device
     */
    public void writeColumns(
            long columns,
            AggregateInput input,
            AggregateLayout layout,
            AggregateHeader header,
            long base) {
        WordLayout result = GroupedBatch.layout(plan, header.bins());
        for (int i = 0; i < input.values(); i++) {
            ValueSpec value = plan.values().get(i);
            long at = columns + (long) GroupAbi.COLUMN_BYTES * i;
            long validity = input.validity()[i] == 0 ? 0 : base + layout.validity[i];
            MemoryUtil.putLong(at + GroupAbi.COLUMN_DATA, base + layout.data[i]);
            MemoryUtil.putLong(at + GroupAbi.COLUMN_VALIDITY, validity);
            MemoryUtil.putInt(at + GroupAbi.COLUMN_FLOATING, value.type().isFloating() ? 1 : 0);
            MemoryUtil.putInt(at + GroupAbi.COLUMN_MIN_MAX, value.needsMinMax() ? 1 : 0);
            MemoryUtil.putInt(at + GroupAbi.COLUMN_SUMMED, value.needsSum() ? 1 : 0);
            MemoryUtil.putInt(at + GroupAbi.COLUMN_FIRST_WORD, result.first(i, Term.COUNT));
            MemoryUtil.putInt(at + GroupAbi.COLUMN_FIRST_BIN, header.firstBins()[i]);
            MemoryUtil.putInt(at + GroupAbi.COLUMN_BINS, header.bins()[i]);
            MemoryUtil.putInt(at + GroupAbi.COLUMN_SQUARED, value.needsSquares() ? 1 : 0);
        }
    }

    /** Whether the exponents of the batch's doubles have to be known. */
    boolean needsBins() {
        return plan.values().stream().anyMatch(Term.SPECIALS::isKeptOf);
    }

    /** Whether squares are summed, too. */
    boolean needsSquares() {
        return plan.values().stream().anyMatch(Term.SQUARES::isKeptOf);
    }

    /** Bytes of the result. */
    public long resultBytes(AggregateHeader header) {
        return (long) Long.BYTES * words(header) * header.groups();
    }

    /** Whether a block of threads has room for accumulators of all groups. */
    public boolean fitsBlock(AggregateHeader header) {
        int accumulators = words(header) - GroupAbi.FIRST_VALUE_WORD;
        return (long) accumulators * header.groups() <= GroupAbi.SHARED_WORDS;
    }

    private int words(AggregateHeader header) {
        return GroupedBatch.layout(plan, header.bins()).words();
    }
}
