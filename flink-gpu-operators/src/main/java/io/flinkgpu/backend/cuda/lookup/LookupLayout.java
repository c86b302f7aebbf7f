package io.flinkgpu.backend.cuda.lookup;

import io.flinkgpu.backend.cuda.device.DeviceLayout;

/** Where the arrays of a batch lie in one block of device memory; its values are in another. */
final class LookupLayout {

    final DeviceLayout block = new DeviceLayout();

    /** What is zeroed before, from the start of the block on: header, counts and sums. */
    final long zeroBytes;

    /** Whether lines of host memory are read in the order of its pages. */
    final boolean isOrdered;

    final long header;
    final long counts;
    final long bagTiles;
    final long idTiles;
    final long ids;
    final long idOffsets;
    final long bags;
    final long bagOffsets;
    final long bagEnds;
    final long weights;
    final long weightOffsets;
    final long places;
    final long sources;
    final long idBases;
    final long idBags;
    final long lineSources;
    final long lines;
    final long pageCounts;
    final long orderedLines;
    final long reads;
    final long valueEnds;
    final long valueOffsets;

    /** Of the lines of host memory that there is room for. */
    final long mostLines;

    /**
     * @param hostLines of a vector that a kernel may read from host memory; 0 if there is none
     * @param isOrdered see the field
     * @param hasDisk whether a vector may be on disk
     */
    LookupLayout(LookupInput input, int tables, int hostLines, boolean isOrdered, boolean hasDisk) {
        this.isOrdered = isOrdered;
        long offsetsBytes = Integer.BYTES * (input.rows() + 1L);
        long bagBytes = (long) Integer.BYTES * input.bagCount();
        long idInts = (long) Integer.BYTES * input.idCount();
        header = block.array(LookupAbi.LOOKUP_HEADER_BYTES);
        counts = block.array((long) LookupAbi.LOOKUP_COUNTS_BYTES * tables);
        bagTiles = block.array(Long.BYTES * tiles(input.bagCount()));
        idTiles = block.array(Long.BYTES * tiles(input.idCount()));
        pageCounts = block.array(isOrdered ? 2L * Integer.BYTES * LookupAbi.LOOKUP_PAGES : 0);
        zeroBytes = block.end();
        ids = block.copied(input.ids(), (long) Long.BYTES * input.idCount());
        idOffsets = block.copied(input.idOffsets(), offsetsBytes);
        bags = block.copied(input.bags(), bagBytes);
        bagOffsets = block.copied(input.bagOffsets(), offsetsBytes);
        bagEnds = block.copied(input.bagEnds(), bagBytes);
        boolean isWeighted = input.weightCount() > 0;
        weights =
                block.copied(
                        input.weights(), isWeighted ? (long) Float.BYTES * input.weightCount() : 0);
        weightOffsets = block.copied(input.weightOffsets(), isWeighted ? offsetsBytes : 0);
        places = block.array((long) LookupAbi.LOOKUP_BAG_BYTES * input.bagCount());
        sources = block.array((long) Long.BYTES * input.idCount());
        idBases = block.array(idInts);
        idBags = block.array(idInts);
        mostLines = (long) hostLines * input.idCount();
        lineSources = block.array(Long.BYTES * mostLines);
        lines = block.array(LookupAbi.LOOKUP_LINE_BYTES * mostLines);
        orderedLines = block.array(isOrdered ? LookupAbi.LOOKUP_HOST_LINE_BYTES * mostLines : 0);
        reads = block.array(hasDisk ? (long) LookupAbi.LOOKUP_READ_BYTES * input.idCount() : 0);
        valueEnds = block.array(bagBytes);
        valueOffsets = block.array(offsetsBytes);
    }

    /** What the host reads of the start of the block: the header, and behind it the counts. */
    long headBytes(int tables) {
        return counts + (long) LookupAbi.LOOKUP_COUNTS_BYTES * tables;
    }

    static long tiles(int items) {
        return (items + LookupAbi.LOOKUP_THREADS - 1L) / LookupAbi.LOOKUP_THREADS;
    }
}
