package io.flinkgpu.backend.cuda.lookup;

import org.apache.arrow.memory.util.MemoryUtil;

/** The {@code lookup_args} struct in host memory. */
final class LookupArgs {

    private final long address;

    LookupArgs(long address) {
        this.address = address;
        MemoryUtil.setMemory(address, LookupAbi.LOOKUP_ARGS_BYTES, (byte) 0);
    }

    long address() {
        return address;
    }

    private void put(int field, int value) {
        MemoryUtil.putInt(address + field, value);
    }

    private void put(int field, long value) {
        MemoryUtil.putLong(address + field, value);
    }

    /**
     * What is the same for all launches of a batch.
     *
     * @param base where the layout lies on the device
     */
    void batch(LookupInput input, LookupLayout layout, long base, DeviceTables tables) {
        boolean isWeighted = input.weightCount() > 0;
        put(LookupAbi.LOOKUP_ARGS_IDS, base + layout.ids);
        put(LookupAbi.LOOKUP_ARGS_ID_OFFSETS, base + layout.idOffsets);
        put(LookupAbi.LOOKUP_ARGS_BAGS, base + layout.bags);
        put(LookupAbi.LOOKUP_ARGS_BAG_OFFSETS, base + layout.bagOffsets);
        put(LookupAbi.LOOKUP_ARGS_BAG_ENDS, base + layout.bagEnds);
        put(LookupAbi.LOOKUP_ARGS_WEIGHTS, base + layout.weights);
        put(LookupAbi.LOOKUP_ARGS_WEIGHT_OFFSETS, isWeighted ? base + layout.weightOffsets : 0);
        put(LookupAbi.LOOKUP_ARGS_TABLES, tables.address());
        put(LookupAbi.LOOKUP_ARGS_HEADER, base + layout.header);
        put(LookupAbi.LOOKUP_ARGS_COUNTS, base + layout.counts);
        put(LookupAbi.LOOKUP_ARGS_BAG_TILES, base + layout.bagTiles);
        put(LookupAbi.LOOKUP_ARGS_ID_TILES, base + layout.idTiles);
        put(LookupAbi.LOOKUP_ARGS_PLACES, base + layout.places);
        put(LookupAbi.LOOKUP_ARGS_SOURCES, base + layout.sources);
        put(LookupAbi.LOOKUP_ARGS_ID_BASES, base + layout.idBases);
        put(LookupAbi.LOOKUP_ARGS_ID_BAGS, base + layout.idBags);
        put(LookupAbi.LOOKUP_ARGS_LINE_SOURCES, base + layout.lineSources);
        put(LookupAbi.LOOKUP_ARGS_LINES, base + layout.lines);
        boolean isOrdered = layout.isOrdered;
        put(LookupAbi.LOOKUP_ARGS_PAGE_COUNTS, isOrdered ? base + layout.pageCounts : 0);
        put(LookupAbi.LOOKUP_ARGS_ORDERED_LINES, isOrdered ? base + layout.orderedLines : 0);
        put(LookupAbi.LOOKUP_ARGS_READS, base + layout.reads);
        put(LookupAbi.LOOKUP_ARGS_VALUE_ENDS, base + layout.valueEnds);
        put(LookupAbi.LOOKUP_ARGS_VALUE_OFFSETS, base + layout.valueOffsets);
        put(LookupAbi.LOOKUP_ARGS_SEED_LOW, tables.hash().low());
        put(LookupAbi.LOOKUP_ARGS_SEED_HIGH, tables.hash().high());
        put(LookupAbi.LOOKUP_ARGS_ROWS, input.rows());
        put(LookupAbi.LOOKUP_ARGS_BAG_COUNT, input.bagCount());
        put(LookupAbi.LOOKUP_ARGS_ID_COUNT, input.idCount());
        put(LookupAbi.LOOKUP_ARGS_TABLE_COUNT, tables.all().size());
    }

    /** The table of the batch's different vectors. */
    void unique(long keys, long lines, int log, int epoch) {
        put(LookupAbi.LOOKUP_ARGS_UNIQUE_KEYS, keys);
        put(LookupAbi.LOOKUP_ARGS_UNIQUE_LINES, lines);
        put(LookupAbi.LOOKUP_ARGS_UNIQUE_SHIFT, Long.SIZE - log);
        put(LookupAbi.LOOKUP_ARGS_EPOCH, epoch);
    }

    /** Where values go. */
    void values(long values, long room) {
        put(LookupAbi.LOOKUP_ARGS_VALUES, values);
        put(LookupAbi.LOOKUP_ARGS_ROOM, room);
    }

    /** Where what was read from disk is. */
    void diskLines(long lines) {
        put(LookupAbi.LOOKUP_ARGS_DISK_LINES, lines);
    }

    /**
     * How threads share the work.
     *
     * @param lanes of a vector
     * @param warps that read from host memory
     */
    void shape(int lanes, int warps) {
        put(LookupAbi.LOOKUP_ARGS_LANES, lanes);
        put(LookupAbi.LOOKUP_ARGS_WARPS, warps);
    }
}
