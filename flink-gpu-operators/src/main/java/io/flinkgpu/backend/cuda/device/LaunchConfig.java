package io.flinkgpu.backend.cuda.device;

import org.apache.flink.annotation.Internal;

/**
 * The shape of a launch: from the size of a batch to blocks. No blocks: nothing to do.
 *
 * @param blocks blocks in the grid
 * @param threads threads in a block
 * @param sharedBytes shared memory that a block gets besides what the kernel declares
 */
@Internal
public record LaunchConfig(int blocks, int threads, int sharedBytes) {

    public LaunchConfig(int blocks, int threads) {
        this(blocks, threads, 0);
    }

    /** A number of items per block. */
    public static LaunchConfig of(long items, long itemsPerBlock, int threads) {
        return new LaunchConfig((int) ((items + itemsPerBlock - 1) / itemsPerBlock), threads);
    }
}
