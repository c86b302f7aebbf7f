package io.flinkgpu.backend.cuda.device;

import org.apache.flink.annotation.Internal;

import org.apache.arrow.memory.AllocationManager;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;
import org.apache.arrow.memory.ReferenceManager;
import org.apache.arrow.memory.RootAllocator;

/** Lets Arrow build its columns in an arena. Any thread may allocate and release. */
@Internal
public final class PinnedAllocationManager extends AllocationManager {

    private final PinnedArena arena;
    private final long address;
    private final long sizeBytes;

    private PinnedAllocationManager(
            BufferAllocator accountingAllocator, PinnedArena arena, long address, long sizeBytes) {
        super(accountingAllocator);
        this.arena = arena;
        this.address = address;
        this.sizeBytes = sizeBytes;
    }

    /** An allocator over the arena; the caller closes it, then the arena. */
    public static RootAllocator newAllocator(PinnedArena arena, long limitBytes) {
        return new RootAllocator(
                RootAllocator.configBuilder()
                        .allocationManagerFactory(new FromArena(arena, limitBytes))
                        .maxAllocation(limitBytes)
                        .roundingPolicy(PinnedArena::roundedBytes)
                        .build());
    }

    @Override
    public long getSize() {
        return sizeBytes;
    }

    @Override
    protected long memoryAddress() {
        return address;
    }

    @Override
    protected void release0() {
        arena.giveBack(address);
    }

    private record FromArena(PinnedArena arena, long limitBytes) implements Factory {

        @Override
        public AllocationManager create(BufferAllocator accountingAllocator, long sizeBytes) {
            long address = arena.take(sizeBytes);
            if (address == PinnedArena.NONE) {
                throw new OutOfMemoryException(
                        "no pinned memory for a column buffer: bytes="
                                + sizeBytes
                                + ", largestFreeBytes="
                                + arena.largestFreeBytes()
                                + ", takenBytes="
                                + arena.takenBytes()
                                + ", memoryLimitBytes="
                                + limitBytes
                                + "; raise the operator's memory limit or make its batches smaller");
            }
            return new PinnedAllocationManager(accountingAllocator, arena, address, sizeBytes);
        }

        @Override
        public ArrowBuf empty() {
            return new ArrowBuf(ReferenceManager.NO_OP, null, 0, 0);
        }
    }
}
