package io.flinkgpu.backend.cuda;

/**
 * The shape of a launch: from the size of a batch to blocks. No blocks: nothing to do.
 *
 * @param blocks blocks in the grid
 * @param threads threads in a block
 * @param sharedBytes shared memory that a block gets besides what the kernel declares
 */
record LaunchConfig(int blocks, int threads, int sharedBytes) {

    LaunchConfig(int blocks, int threads) {
        this(blocks, threads, 0);
    }

    /** A block a tile of the data, and one at least. */
    static LaunchConfig findLines(int dataBytes) {
        return of(Math.max(1, dataBytes), KernelAbi.LINE_TILE_BYTES, KernelAbi.LINE_THREADS);
    }

    /** A thread a segment of the data. */
    static LaunchConfig find(int dataBytes) {
        long perBlock = (long) KernelAbi.FIND_THREADS * KernelAbi.SEGMENT_BYTES;
        return of(dataBytes, perBlock, KernelAbi.FIND_THREADS);
    }

    /** A block a tile of the data, and one at least. */
    static LaunchConfig write(int dataBytes) {
        return of(Math.max(1, dataBytes), KernelAbi.WRITE_TILE_BYTES, KernelAbi.WRITE_THREADS);
    }

    /** A thread a row; for group_start too. */
    static LaunchConfig groupRows(int rows) {
        return of(rows, GroupAbi.GROUP_THREADS, GroupAbi.GROUP_THREADS);
    }

    /** Some rows a thread. */
    static LaunchConfig groupBins(int rows) {
        long perBlock = (long) GroupAbi.GROUP_THREADS * GroupAbi.BINS_ITEMS;
        return of(rows, perBlock, GroupAbi.GROUP_THREADS);
    }

    /** A block a tile. */
    static LaunchConfig groupRank(int rows) {
        return of(rows, GroupAbi.RANK_THREADS * GroupAbi.RANK_ITEMS, GroupAbi.RANK_THREADS);
    }

    /** Some rows a thread. */
    static LaunchConfig groupAdd(int rows) {
        return of(rows, GroupAbi.ADD_THREADS * GroupAbi.ADD_ITEMS, GroupAbi.ADD_THREADS);
    }

    /** So many items a block. */
    static LaunchConfig of(long items, long itemsPerBlock, int threads) {
        return new LaunchConfig((int) ((items + itemsPerBlock - 1) / itemsPerBlock), threads);
    }
}
