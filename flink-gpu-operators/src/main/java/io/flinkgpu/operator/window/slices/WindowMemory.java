package io.flinkgpu.operator.window.slices;

import org.apache.arrow.memory.BufferAllocator;

/**
 * Keeps the groups in memory within a budget, by moving the largest layers to state. A table that grows
 * may be over it for the record or block that made it grow. Task thread only.
 *
 * @param <S> the key in state
 */
final class WindowMemory<S> {

    private final BufferAllocator allocator;
    private final WindowGroups<S> groups;
    private final WindowSums<S> sums;
    private final long budgetBytes;

    WindowMemory(
            BufferAllocator allocator,
            WindowGroups<S> groups,
            WindowSums<S> sums,
            long budgetBytes) {
        this.allocator = allocator;
        this.groups = groups;
        this.sums = sums;
        this.budgetBytes = budgetBytes;
    }

    boolean isFull() {
        return allocator.getAllocatedMemory() > budgetBytes;
    }

    /** Forgets sums that can be made again, if there is too much. */
    void dropSums() {
        if (isFull()) {
            groups.sliceSums().stop();
        }
    }

    /** Moves layers to state if there is too much. */
    void keepWithin() throws Exception {
        while (isFull()) {
            Span<S> span = null;
            Layer<S> largest = null;
            for (Span<S> candidate : groups.spans()) {
                for (Layer<S> layer : candidate.layers) {
                    if (layer.isInMemory()
                            && !layer.isEmpty()
                            && (largest == null
                                    || layer.table().bytes() > largest.table().bytes())) {
                        span = candidate;
                        largest = layer;
                    }
                }
            }
            if (largest == null) {
                return;
            }
            groups.moveToState(span, largest);
            sums.mergeStored(span);
        }
    }
}
