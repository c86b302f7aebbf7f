package io.flinkgpu.backend.cuda.aggregate;

import io.flinkgpu.backend.cuda.device.LaunchConfig;

/** The shapes of the launches of the grouping kernels. */
final class GroupLaunch {

    private GroupLaunch() {}

    /** A thread a row; for group_start too. */
    static LaunchConfig rows(int rows) {
        return LaunchConfig.of(rows, GroupAbi.GROUP_THREADS, GroupAbi.GROUP_THREADS);
    }

    /** Some rows a thread. */
    static LaunchConfig bins(int rows) {
        long perBlock = (long) GroupAbi.GROUP_THREADS * GroupAbi.BINS_ITEMS;
        return LaunchConfig.of(rows, perBlock, GroupAbi.GROUP_THREADS);
    }

    /** A block a tile. */
    static LaunchConfig rank(int rows) {
        return LaunchConfig.of(
                rows, GroupAbi.RANK_THREADS * GroupAbi.RANK_ITEMS, GroupAbi.RANK_THREADS);
    }

    /** Some rows a thread. */
    static LaunchConfig add(int rows) {
        return LaunchConfig.of(
                rows, GroupAbi.ADD_THREADS * GroupAbi.ADD_ITEMS, GroupAbi.ADD_THREADS);
    }
}
