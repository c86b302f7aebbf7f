package io.flinkgpu.backend.cuda;

import io.flinkgpu.backend.BackendException;

import jcuda.driver.JCudaDriver;

import java.util.HashMap;
import java.util.Map;

/** Page-locked host memory that all contexts may copy from and to. Slow: about 0.6 s a GiB. */
final class PinnedMemory implements MemorySource {

    private final Map<Long, HostPointer> pointers = new HashMap<>();

    @Override
    public String kind() {
        return "pinned";
    }

    @Override
    public long allocate(long bytes) throws BackendException {
        HostPointer pointer = new HostPointer();
        CudaCheck.check(
                JCudaDriver.cuMemHostAlloc(pointer, bytes, JCudaDriver.CU_MEMHOSTALLOC_PORTABLE),
                "cuMemHostAlloc of " + bytes + " bytes, from the operator's memory limit,");
        pointers.put(pointer.address(), pointer);
        return pointer.address();
    }

    @Override
    public void free(long address) throws BackendException {
        CudaCheck.checkRelease(
                JCudaDriver.cuMemFreeHost(pointers.remove(address)), "cuMemFreeHost");
    }
}
