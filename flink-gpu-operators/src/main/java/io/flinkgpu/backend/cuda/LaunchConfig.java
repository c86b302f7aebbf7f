package io.flinkgpu.backend.cuda;

/**
 * The shape of a launch: from the size of a batch to blocks. No blocks: nothing to do.
 *
 * @param blocks blocks in the grid
 * @param threads threads in a block
 */
record LaunchConfig(int blocks, int threads) {

    /** A thread a segment of the data. */
    static LaunchConfig find(int dataBytes) {
        long perBlock = (long) KernelAbi.FIND_THREADS * KernelAbi.SEGMENT_BYTES;
        return of(dataBytes, perBlock, KernelAbi.FIND_THREADS);
    }

    /** A thread a row. */
    static LaunchConfig select(int rows) {
        return of(rows, KernelAbi.SELECT_THREADS, KernelAbi.SELECT_THREADS);
    }

    /** A block a scan tile. */
    static LaunchConfig scan(int rows) {
        return of(rows, KernelAbi.SCAN_THREADS * KernelAbi.SCAN_ITEMS, KernelAbi.SCAN_THREADS);
    }

    /** A warp a row. */
    static LaunchConfig write(int rows) {
        return of(rows, KernelAbi.WRITE_THREADS / KernelAbi.WARP_LANES, KernelAbi.WRITE_THREADS);
    }

    private static LaunchConfig of(long items, long itemsPerBlock, int threads) {
        return new LaunchConfig((int) ((items + itemsPerBlock - 1) / itemsPerBlock), threads);
    }
}
