package io.flinkgpu.backend.cuda.device;

import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.SpareMemory;

import jcuda.driver.CUresult;
import org.apache.arrow.memory.util.MemoryUtil;

import java.util.BitSet;

/**
 * Host memory in units that are page-locked one by one, of which the last may be smaller. It belongs to a
 * backend, or is spare; whoever has it releases it.
 */
final class PinnedSlab implements SpareMemory.Piece {

    /** What is locked at a time. */
    static final long UNIT_BYTES = 32L << 20;

    private static final long PAGE_BYTES = 4096;

    private final PinnedMemory.PageLock driver;
    private final Kind kind;
    private final long allocated;
    private final long address;
    private final BitSet locked = new BitSet();

    /** Of all its users, what they may have written to, from its start on; at least what is locked. */
    private long usedBytes;

    /**
     * What a slab is good for.
     *
     * @param context that it is locked for; nothing is when that is gone
     */
    private record Kind(Object context, long bytes) {}

    /**
     * Takes memory.
     *
     * @param bytes a multiple of a page's
     * @throws OutOfMemoryError if there is none
     */
    PinnedSlab(PinnedMemory.PageLock driver, long bytes) {
        this.driver = driver;
        this.kind = new Kind(driver.context(), bytes);
        this.allocated = MemoryUtil.allocateMemory(bytes + PAGE_BYTES);
        this.address = pages(allocated);
    }

    /** Rounded up to whole pages. */
    static long pages(long bytes) {
        return (bytes + PAGE_BYTES - 1) & -PAGE_BYTES;
    }

    /** The kind of the slabs of a context that have so many bytes. */
    static Object kind(Object context, long bytes) {
        return new Kind(context, bytes);
    }

    /** Whether a spare piece is a slab that is locked for a context. */
    static boolean isOf(Object context, SpareMemory.Piece piece) {
        return piece.kind() instanceof Kind kind && kind.context == context;
    }

    @Override
    public Object kind() {
        return kind;
    }

    @Override
    public long bytes() {
        return usedBytes;
    }

    long address() {
        return address;
    }

    long end() {
        return address + kind.bytes;
    }

    /** The end of the unit that an address is in. */
    long unitEnd(long of) {
        return unitAddress(unit(of)) + unitBytes(unit(of));
    }

    boolean isLocked(long of) {
        return locked.get(unit(of));
    }

    /** Locks the unit that an address is in; gives the driver's result. */
    int lock(long of) {
        int unit = unit(of);
        int result = driver.lock(unitAddress(unit), unitBytes(unit));
        if (result == CUresult.CUDA_SUCCESS) {
            locked.set(unit);
            usedBytes = Math.max(usedBytes, unitEnd(of) - address);
        }
        return result;
    }

    boolean hasLocked() {
        return !locked.isEmpty();
    }

    /**
     * Forgets what its user has written, for the next one.
     *
     * @param writtenBytes the most of the slab, from its start on, that it may have written to
     */
    void clear(long writtenBytes) {
        usedBytes = Math.max(usedBytes, pages(writtenBytes));
        MemoryUtil.setMemory(address, writtenBytes, (byte) 0);
    }

    @Override
    public void release() {
        CloseStack resources = new CloseStack();
        resources.push(() -> MemoryUtil.freeMemory(allocated));
        locked.stream().forEach(unit -> resources.push(() -> unlock(unitAddress(unit))));
        resources.close();
    }

    private void unlock(long unitAddress) throws BackendException {
        CudaCheck.checkRelease(driver.unlock(unitAddress), "cuMemHostUnregister");
    }

    private int unit(long of) {
        return (int) ((of - address) / UNIT_BYTES);
    }

    private long unitAddress(int unit) {
        return address + unit * UNIT_BYTES;
    }

    private long unitBytes(int unit) {
        return Math.min(UNIT_BYTES, end() - unitAddress(unit));
    }
}
