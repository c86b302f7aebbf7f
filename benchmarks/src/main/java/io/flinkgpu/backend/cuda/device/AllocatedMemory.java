package io.flinkgpu.backend.cuda.device;

import io.flinkgpu.backend.BackendException;

import jcuda.Pointer;
import jcuda.driver.JCudaDriver;

/** Host memory that kernels read, which the driver allocates: what {@link MappedMemory} is compared with. */
public final class AllocatedMemory implements AutoCloseable {

    private final Pointer host = new Pointer();
    private final long deviceAddress;

    public AllocatedMemory(long bytes) throws BackendException {
        CudaCheck.check(
                JCudaDriver.cuMemHostAlloc(host, bytes, JCudaDriver.CU_MEMHOSTALLOC_DEVICEMAP),
                "cuMemHostAlloc of " + bytes + " bytes");
        DevicePointer device = new DevicePointer();
        CudaCheck.check(
                JCudaDriver.cuMemHostGetDevicePointer(device, host, 0),
                "cuMemHostGetDevicePointer");
        deviceAddress = device.address();
    }

    /** Where it is for kernels. */
    public long deviceAddress() {
        return deviceAddress;
    }

    @Override
    public void close() throws BackendException {
        CudaCheck.checkRelease(JCudaDriver.cuMemFreeHost(host), "cuMemFreeHost");
    }
}
