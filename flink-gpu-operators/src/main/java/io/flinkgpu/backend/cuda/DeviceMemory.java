package io.flinkgpu.backend.cuda;

import io.flinkgpu.backend.BackendException;

import jcuda.driver.JCudaDriver;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Memory of the current context's device. Costs hundreds of microseconds and waits for the device, so
 * take it once and keep it. Any thread may take and free, with the context current.
 */
final class DeviceMemory implements MemorySource {

    private final Map<Long, DevicePointer> pointers = new ConcurrentHashMap<>();

    /** What the device can give at present. */
    static long freeBytes() throws BackendException {
        long[] free = new long[1];
        long[] total = new long[1];
        CudaCheck.check(JCudaDriver.cuMemGetInfo(free, total), "cuMemGetInfo");
        return free[0];
    }

    @Override
    public String kind() {
        return "device";
    }

    @Override
    public long allocate(long bytes) throws BackendException {
        DevicePointer pointer = new DevicePointer();
        CudaCheck.check(
                JCudaDriver.cuMemAlloc(pointer, bytes), "cuMemAlloc of " + bytes + " bytes");
        pointers.put(pointer.address(), pointer);
        return pointer.address();
    }

    @Override
    public void free(long address) throws BackendException {
        CudaCheck.checkRelease(JCudaDriver.cuMemFree(pointers.remove(address)), "cuMemFree");
    }
}
