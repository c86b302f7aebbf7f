package io.flinkgpu.backend.cuda.device;

import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.SpareMemory;

import org.apache.flink.annotation.Internal;

import jcuda.driver.CUresult;
import jcuda.driver.JCudaDriver;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.Map;
import java.util.TreeMap;

/**
 * Host memory that is page-locked piece by piece, each when it is first copied from or to, so that an
 * operator pins no more than its batches use. Registering memory takes about a tenth of the time that
 * {@code cuMemHostAlloc} takes for as much. Where the system lets no more be locked, copies are slower
 * and right all the same. It is locked for the backend's device alone: for all devices it would have to be
 * mapped into each of them, and every context would be held up meanwhile. Slabs that have locked pieces are
 * left {@link SpareMemory spare}, filled with zeros, for the next backend of the same device. Backend thread only.
 */
@Internal
public final class PinnedMemory implements MemorySource {

    private static final Logger LOG = LoggerFactory.getLogger(PinnedMemory.class);

    private final PageLock driver;
    private final SpareMemory spare;
    private final TreeMap<Long, PinnedSlab> slabs = new TreeMap<>();
    private boolean refused;

    /** For a device that the calling thread has entered. */
    public PinnedMemory(SharedDevice device) {
        this(new DriverLock(device, device.context()), SpareMemory.OF_PROCESS);
    }

    PinnedMemory(PageLock driver, SpareMemory spare) {
        this.driver = driver;
        this.spare = spare;
    }

    @Override
    public MemoryBlock allocate(long bytes) throws BackendException {
        long pagesBytes = PinnedSlab.pages(bytes);
        PinnedSlab slab = (PinnedSlab) spare.take(PinnedSlab.kind(driver.context(), pagesBytes));
        if (slab == null) {
            slab = newSlab(pagesBytes);
        }
        slabs.put(slab.address(), slab);
        return new MemoryBlock(slab.address(), bytes, false);
    }

    private PinnedSlab newSlab(long bytes) throws BackendException {
        try {
            return new PinnedSlab(driver, bytes);
        } catch (OutOfMemoryError e) {
            spare.releaseAll();
        }
        try {
            return new PinnedSlab(driver, bytes);
        } catch (OutOfMemoryError e) {
            throw new BackendException(
                    "no host memory for columns: bytes="
                            + bytes
                            + ", from the operator's memory limit",
                    e);
        }
    }

    @Override
    public void free(MemoryBlock block) {
        free(block, block.bytes());
    }

    @Override
    public void free(MemoryBlock block, long writtenBytes) {
        PinnedSlab slab = slabs.remove(block.address());
        if (slab.hasLocked()) {
            slab.clear(writtenBytes);
            if (spare.keep(slab)) {
                return;
            }
        }
        slab.release();
    }

    /**
     * Locks what one copy is to touch.
     *
     * @param bytes at least 1
     * @return how many of these bytes one copy may have: it must not touch two pieces
     */
    long lock(long address, long bytes) throws BackendException {
        Map.Entry<Long, PinnedSlab> below = slabs.floorEntry(address);
        if (below == null || address >= below.getValue().end()) {
            throw new IllegalStateException(
                    "only memory of the backend is copied: address=0x" + Long.toHexString(address));
        }
        PinnedSlab slab = below.getValue();
        if (!slab.isLocked(address) && !refused) {
            lock(slab, address);
        }
        return Math.min(bytes, slab.unitEnd(address) - address);
    }

    private void lock(PinnedSlab slab, long address) throws BackendException {
        int result = slab.lock(address);
        if (isRefusal(result) && spare.bytes() > 0) {
            spare.releaseAll();
            result = slab.lock(address);
        }
        if (isRefusal(result)) {
            refused = true;
            LOG.warn(
                    "host memory cannot be page-locked ({}), so copies to and from the GPU are"
                            + " slower: raise the limit of locked memory (ulimit -l)",
                    CUresult.stringFor(result));
            return;
        }
        CudaCheck.check(result, "cuMemHostRegister of columns");
    }

    /** Whether the system lets no more memory be locked. */
    static boolean isRefusal(int result) {
        return result == CUresult.CUDA_ERROR_OUT_OF_MEMORY
                || result == CUresult.CUDA_ERROR_NOT_PERMITTED
                || result == CUresult.CUDA_ERROR_NOT_SUPPORTED;
    }

    /** Locks pages; gives the driver's result codes. */
    interface PageLock {

        /** What pages are locked for, as long as it is there. */
        Object context();

        /** Backend thread only. */
        int lock(long address, long bytes);

        /** Any thread; success if the context is gone. */
        int unlock(long address);
    }

    /** The driver's, of a device that was entered. */
    record DriverLock(SharedDevice device, CudaContext context) implements PageLock {

        @Override
        public int lock(long address, long bytes) {
            return JCudaDriver.cuMemHostRegister(new HostPointer(address), bytes, 0);
        }

        @Override
        public int unlock(long address) {
            return device.within(
                    context, () -> JCudaDriver.cuMemHostUnregister(new HostPointer(address)));
        }
    }
}
