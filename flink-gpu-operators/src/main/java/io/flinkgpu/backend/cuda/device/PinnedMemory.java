package io.flinkgpu.backend.cuda.device;

import io.flinkgpu.backend.BackendException;

import org.apache.flink.annotation.Internal;

import jcuda.driver.CUresult;
import jcuda.driver.JCudaDriver;
import org.apache.arrow.memory.util.MemoryUtil;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.BitSet;
import java.util.Map;
import java.util.TreeMap;

/**
 * Host memory that is page-locked piece by piece, each when it is first copied from or to, so that an
 * operator pins no more than its batches use. Registering memory takes about a tenth of the time that
 * {@code cuMemHostAlloc} takes for as much. Where the system lets no more be locked, copies are slower
 * and right all the same. It is locked for the backend's device alone: for all devices it would have to be
 * mapped into each of them, and every context would be held up meanwhile. Backend thread only.
 */
@Internal
public final class PinnedMemory implements MemorySource {

    private static final Logger LOG = LoggerFactory.getLogger(PinnedMemory.class);

    private static final VarHandle INTS =
            MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.nativeOrder());

    private static final long PAGE_BYTES = 4096;

    /** What is locked at a time. */
    private static final long UNIT_BYTES = 32L << 20;

    private final PageLock driver;
    private final TreeMap<Long, Slab> slabs = new TreeMap<>();
    private boolean refused;

    public PinnedMemory() {
        this(new DriverLock());
    }

    public PinnedMemory(PageLock driver) {
        this.driver = driver;
    }

    @Override
    public MemoryBlock allocate(long bytes) throws BackendException {
        long pagesBytes = (bytes + PAGE_BYTES - 1) & -PAGE_BYTES;
        long allocated;
        try {
            allocated = MemoryUtil.allocateMemory(pagesBytes + PAGE_BYTES);
        } catch (OutOfMemoryError e) {
            throw new BackendException(
                    "no host memory for columns: bytes="
                            + bytes
                            + ", from the operator's memory limit",
                    e);
        }
        long address = (allocated + PAGE_BYTES - 1) & -PAGE_BYTES;
        slabs.put(address, new Slab(allocated, address, pagesBytes, new BitSet()));
        return new MemoryBlock(address, bytes, false);
    }

    @Override
    public void free(MemoryBlock block) {
        Slab slab = slabs.remove(block.address());
        CloseStack resources = new CloseStack();
        resources.push(() -> MemoryUtil.freeMemory(slab.allocated));
        slab.locked.stream().forEach(unit -> resources.push(() -> unlock(slab.unitAddress(unit))));
        resources.close();
    }

    private void unlock(long address) throws BackendException {
        CudaCheck.checkRelease(driver.unlock(address), "cuMemHostUnregister");
    }

    /**
     * Locks what one copy is to touch.
     *
     * @param bytes at least 1
     * @return how many of these bytes one copy may have: it must not touch two pieces
     */
    long lock(long address, long bytes) throws BackendException {
        Map.Entry<Long, Slab> below = slabs.floorEntry(address);
        if (below == null || address >= below.getValue().end()) {
            throw new IllegalStateException(
                    "only memory of the backend is copied: address=0x" + Long.toHexString(address));
        }
        Slab slab = below.getValue();
        int unit = (int) ((address - slab.address) / UNIT_BYTES);
        if (!slab.locked.get(unit) && !refused) {
            register(slab, unit);
        }
        return Math.min(bytes, slab.unitAddress(unit) + slab.unitBytes(unit) - address);
    }

    private void register(Slab slab, int unit) throws BackendException {
        touch(slab, unit);
        int result = driver.lock(slab.unitAddress(unit), slab.unitBytes(unit));
        if (result == CUresult.CUDA_ERROR_OUT_OF_MEMORY
                || result == CUresult.CUDA_ERROR_NOT_PERMITTED
                || result == CUresult.CUDA_ERROR_NOT_SUPPORTED) {
            refused = true;
            LOG.warn(
                    "host memory cannot be page-locked ({}), so copies to and from the GPU are"
                            + " slower: raise the limit of locked memory (ulimit -l)",
                    CUresult.stringFor(result));
            return;
        }
        CudaCheck.check(
                result, "cuMemHostRegister of " + slab.unitBytes(unit) + " bytes of columns");
        slab.locked.set(unit);
    }

    /**
     * Has the system give each page, in as many threads as there are backends. It gives fresh ones to the driver as
     * well, but then one backend waits for another, and a GiB takes 0.3 s instead of 0.13. What is written there
     * meanwhile stays.
     */
    private static void touch(Slab slab, int unit) {
        ByteBuffer pages =
                MemoryUtil.directBuffer(slab.unitAddress(unit), (int) slab.unitBytes(unit));
        for (int page = 0; page < pages.limit(); page += (int) PAGE_BYTES) {
            INTS.getAndAdd(pages, page, 0);
        }
    }

    /** Locks pages; gives the driver's result codes. */
    interface PageLock {

        int lock(long address, long bytes);

        int unlock(long address);
    }

    private static final class DriverLock implements PageLock {

        @Override
        public int lock(long address, long bytes) {
            return JCudaDriver.cuMemHostRegister(new HostPointer(address), bytes, 0);
        }

        @Override
        public int unlock(long address) {
            return JCudaDriver.cuMemHostUnregister(new HostPointer(address));
        }
    }

    /** Memory in units, of which the last may be smaller. */
    private record Slab(long allocated, long address, long bytes, BitSet locked) {

        long end() {
            return address + bytes;
        }

        long unitAddress(int unit) {
            return address + unit * UNIT_BYTES;
        }

        long unitBytes(int unit) {
            return Math.min(UNIT_BYTES, end() - unitAddress(unit));
        }
    }
}
