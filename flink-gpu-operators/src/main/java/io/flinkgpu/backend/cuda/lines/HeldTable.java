package io.flinkgpu.backend.cuda.lines;

import io.flinkgpu.backend.cuda.aggregate.AggregateHeader;
import io.flinkgpu.backend.plan.LinePlan;

import org.apache.arrow.memory.util.MemoryUtil;

/**
 * Groups in device memory, as the host knows of them: first batches are added, then all is given out. A
 * table is zeroed before the first groups come. Whoever asked for it closes it.
 */
final class HeldTable implements AutoCloseable {

    /** Memory of the device; whoever asked for it closes it. */
    interface Memory extends AutoCloseable {

        /** Where it starts; a multiple of 256. */
        long address();

        @Override
        void close();
    }

    private final LinePlan plan;
    private final LinesFields fields;
    private final Memory memory;
    private final HeldLayout layout;
    private AggregateHeader aggregates;
    private long keyBytes;

    /** How many lines the groups have. */
    private long lines;

    HeldTable(LinesArgs args, HeldLayout layout, Memory memory) {
        this.plan = args.plan();
        this.fields = args.fields();
        this.layout = layout;
        this.memory = memory;
        aggregates = AggregateHeader.none(plan.aggregates());
    }

    Memory memory() {
        return memory;
    }

    HeldLayout layout() {
        return layout;
    }

    int groups() {
        return aggregates.groups();
    }

    long keyBytes() {
        return keyBytes;
    }

    /**
     * Whether a batch's groups certainly have room beside those that are there. A line adds less than 2^32
     * to a bin, so that no bin overflows.
     */
    boolean hasRoom(LinesHeader batch) {
        return groups() + (long) batch.groups() <= layout.groups()
                && keyBytes + batch.keyBytes() <= layout.keyBytes()
                && lines + batch.lines() <= Integer.MAX_VALUE;
    }

    /**
     * Some of the groups, as the result of no lines.
     *
     * @param ofKeys bytes of their keys
     */
    LinesHeader given(int count, long ofKeys) {
        AggregateHeader some =
                new AggregateHeader(count, aggregates.firstBins(), aggregates.bins());
        return new LinesHeader(some, 0, ofKeys, 0, Long.MIN_VALUE, false);
    }

    /**
     * Takes note of a batch that was added.
     *
     * @param address of the {@code held_header} struct, and the words after it, as they are now
     */
    void added(LinesHeader batch, long address) {
        long cursor = MemoryUtil.getLong(address + LinesAbi.HELD_HEADER_CURSOR);
        aggregates =
                AggregateHeader.of(
                        plan.aggregates(),
                        (int) (cursor >>> Integer.SIZE),
                        address + LinesAbi.HELD_HEADER_BYTES);
        keyBytes = cursor & 0xffff_ffffL;
        lines += batch.lines();
    }

    /** The device address of a record's first word, which says {@link #keyStart where its key is}. */
    long keyWordAddress(int record) {
        return memory.address()
                + layout.record(fields, record)
                + (long) Long.BYTES * LinesAbi.RECORD_KEY;
    }

    /** Where among all keys the key of a record is. */
    static long keyStart(long keyWord) {
        return (keyWord & (1L << LinesAbi.KEY_PLACE_BITS) - 1) - 1;
    }

    /** The device address of all keys. */
    long keysAddress() {
        return memory.address() + layout.keys();
    }

    /**
     * Writes what concerns it of the {@code lines_args} struct.
     *
     * @param args host address of the struct
     * @param first the first record to give out
     * @param count how many of them
     */
    void writeArgs(long args, int first, int count) {
        long base = memory.address();
        MemoryUtil.putLong(args + LinesAbi.LINES_ARGS_HELD, base);
        MemoryUtil.putLong(args + LinesAbi.LINES_ARGS_HELD_BINS, base + LinesAbi.HELD_HEADER_BYTES);
        MemoryUtil.putLong(args + LinesAbi.LINES_ARGS_HELD_INDEX, base + layout.index());
        MemoryUtil.putLong(args + LinesAbi.LINES_ARGS_HELD_RECORDS, base + layout.records());
        MemoryUtil.putLong(args + LinesAbi.LINES_ARGS_HELD_KEYS, base + layout.keys());
        MemoryUtil.putInt(args + LinesAbi.LINES_ARGS_HELD_MASK, layout.slots() - 1);
        MemoryUtil.putInt(args + LinesAbi.LINES_ARGS_HELD_GROUPS, groups());
        MemoryUtil.putInt(args + LinesAbi.LINES_ARGS_GIVEN_FIRST, first);
        MemoryUtil.putInt(args + LinesAbi.LINES_ARGS_GIVEN_COUNT, count);
    }

    @Override
    public void close() {
        memory.close();
    }
}
