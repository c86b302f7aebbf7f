package io.flinkgpu.backend.cuda.device;

import io.flinkgpu.backend.BackendException;

import org.apache.flink.annotation.Internal;

import jcuda.driver.JCudaDriver;

/**
 * Memory of the current context's device. Costs hundreds of microseconds and waits for the device, so
 * take it once and keep it. Any thread may take and free, with the context current.
 */
@Internal
public final class DeviceMemory implements MemorySource {

    /** What the device can give at present. */
    public static long freeBytes() throws BackendException {
        long[] free = new long[1];
        long[] total = new long[1];
        CudaCheck.check(JCudaDriver.cuMemGetInfo(free, total), "cuMemGetInfo");
        return free[0];
    }

    @Override
    public MemoryBlock allocate(long bytes) throws BackendException {
        DevicePointer pointer = new DevicePointer();
        CudaCheck.check(
                JCudaDriver.cuMemAlloc(pointer, bytes), "cuMemAlloc of " + bytes + " bytes");
        return new MemoryBlock(pointer.address(), bytes, false);
    }

    @Override
    public void free(MemoryBlock block) throws BackendException {
        CudaCheck.checkRelease(
                JCudaDriver.cuMemFree(DevicePointer.of(block.address())), "cuMemFree");
    }
}
