package io.flinkgpu.backend.cuda.lines;

import io.flinkgpu.backend.FatalDeviceException;
import io.flinkgpu.backend.cuda.aggregate.AggregateHeader;
import io.flinkgpu.backend.cuda.device.ResultCheck;
import io.flinkgpu.backend.plan.GroupedBatch;
import io.flinkgpu.backend.plan.LinePlan;

import org.apache.arrow.memory.util.MemoryUtil;

/**
 * What the kernels found out about a batch of lines.
 *
 * @param aggregates how many groups there are, and which bins their sums have
 * @param keyBytes of all groups' keys
 * @param isFull whether the table had no room; all else but the lines means nothing then
 */
record LinesHeader(
        AggregateHeader aggregates,
        long lines,
        long keyBytes,
        int refused,
        long maxTimestamp,
        boolean isFull) {

    static LinesHeader none(LinePlan plan) {
        return new LinesHeader(
                AggregateHeader.none(plan.aggregates()), 0, 0, 0, Long.MIN_VALUE, false);
    }

    /** The same, but the groups stay where they are. */
    LinesHeader withoutGroups(LinePlan plan) {
        return new LinesHeader(
                AggregateHeader.none(plan.aggregates()), lines, 0, refused, maxTimestamp, false);
    }

    /** Reads the {@code lines_header} struct, and the words after it, at a host address. */
    static LinesHeader read(long address, LinePlan plan) {
        return new LinesHeader(
                AggregateHeader.of(
                        plan.aggregates(),
                        (int) MemoryUtil.getLong(address + LinesAbi.LINES_HEADER_GROUPS),
                        address + LinesAbi.LINES_HEADER_BYTES),
                MemoryUtil.getLong(address + LinesAbi.LINES_HEADER_LINES),
                MemoryUtil.getLong(address + LinesAbi.LINES_HEADER_KEY_BYTES),
                MemoryUtil.getInt(address + LinesAbi.LINES_HEADER_REFUSED),
                MemoryUtil.getLong(address + LinesAbi.LINES_HEADER_MAX_TIME) ^ Long.MIN_VALUE,
                MemoryUtil.getInt(address + LinesAbi.LINES_HEADER_FULL) != 0);
    }

    /**
     * Checks the numbers that places are found by.
     *
     * @param dataBytes of the input, each of which could be a line
     */
    void check(int dataBytes) throws FatalDeviceException {
        ResultCheck.requireBetween("lines", 0, dataBytes, lines);
        if (!isFull) {
            ResultCheck.requireBetween("refused lines", 0, lines, refused);
            ResultCheck.requireBetween("groups of lines", 0, lines - refused, groups());
            ResultCheck.requireBetween("bytes of keys", 0, dataBytes, keyBytes);
        }
    }

    int groups() {
        return aggregates.groups();
    }

    /** Words of a group. */
    int words(LinePlan plan) {
        return GroupedBatch.layout(plan.aggregates(), aggregates.bins()).words();
    }

    /** Bytes of the groups' words. */
    long wordsBytes(LinePlan plan) {
        return (long) Long.BYTES * words(plan) * groups();
    }

    /** Bytes of the keys' offsets. */
    long offsetsBytes() {
        return Integer.BYTES * (groups() + 1L);
    }

    /** Bytes of the refused lines' starts. */
    long refusedBytes() {
        return (long) Integer.BYTES * refused;
    }

    /** Bytes of the result: words, offsets, keys. */
    long resultBytes(LinePlan plan) {
        return wordsBytes(plan) + offsetsBytes() + keyBytes;
    }
}
