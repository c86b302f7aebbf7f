package io.flinkgpu.backend.cuda.device;

import io.flinkgpu.backend.BackendException;

import jcuda.driver.CUdeviceptr;
import jcuda.driver.CUmemAccessDesc;
import jcuda.driver.CUmemAccess_flags;
import jcuda.driver.CUmemAllocationGranularity_flags;
import jcuda.driver.CUmemAllocationProp;
import jcuda.driver.CUmemAllocationType;
import jcuda.driver.CUmemGenericAllocationHandle;
import jcuda.driver.CUmemLocation;
import jcuda.driver.CUmemLocationType;
import jcuda.driver.JCudaDriver;

/**
 * Memory of the host's first NUMA node that the driver allocates and maps in pages of its own size, 2 MiB where it can: what
 * {@link MappedMemory} is compared with. The first device and the host read and write it.
 */
public final class NumaMemory implements AutoCloseable {

    /** CU_MEM_LOCATION_TYPE_HOST_NUMA, which JCuda has no name for. */
    private static final int HOST_NUMA = 3;

    private final CloseStack resources = new CloseStack();
    private final DevicePointer start = new DevicePointer();

    public NumaMemory(long bytes) throws BackendException {
        CUmemAllocationProp what = new CUmemAllocationProp();
        what.type = CUmemAllocationType.CU_MEM_ALLOCATION_TYPE_PINNED;
        what.location = location(HOST_NUMA);
        try {
            long[] page = new long[1];
            CudaCheck.check(
                    JCudaDriver.cuMemGetAllocationGranularity(
                            page,
                            what,
                            CUmemAllocationGranularity_flags.CU_MEM_ALLOC_GRANULARITY_RECOMMENDED),
                    "cuMemGetAllocationGranularity");
            long pageBytes = page[0];
            long size = (bytes + pageBytes - 1) / pageBytes * pageBytes;
            CUmemGenericAllocationHandle memory = new CUmemGenericAllocationHandle();
            CudaCheck.check(
                    JCudaDriver.cuMemCreate(memory, size, what, 0),
                    "cuMemCreate of " + size + " bytes");
            resources.push(
                    () -> CudaCheck.checkRelease(JCudaDriver.cuMemRelease(memory), "cuMemRelease"));
            CudaCheck.check(
                    JCudaDriver.cuMemAddressReserve(start, size, pageBytes, new CUdeviceptr(), 0),
                    "cuMemAddressReserve");
            resources.push(
                    () ->
                            CudaCheck.checkRelease(
                                    JCudaDriver.cuMemAddressFree(start, size), "cuMemAddressFree"));
            CudaCheck.check(JCudaDriver.cuMemMap(start, size, 0, memory, 0), "cuMemMap");
            resources.push(
                    () ->
                            CudaCheck.checkRelease(
                                    JCudaDriver.cuMemUnmap(start, size), "cuMemUnmap"));
            CUmemAccessDesc[] access = {
                access(CUmemLocationType.CU_MEM_LOCATION_TYPE_DEVICE), access(HOST_NUMA)
            };
            CudaCheck.check(
                    JCudaDriver.cuMemSetAccess(start, size, access, access.length),
                    "cuMemSetAccess");
        } catch (BackendException | RuntimeException | Error e) {
            resources.closeAfter(e);
            throw e;
        }
    }

    private static CUmemLocation location(int type) {
        CUmemLocation location = new CUmemLocation();
        location.type = type;
        location.id = 0;
        return location;
    }

    private static CUmemAccessDesc access(int type) {
        CUmemAccessDesc access = new CUmemAccessDesc();
        access.location = location(type);
        access.flags = CUmemAccess_flags.CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
        return access;
    }

    /** Where it is for kernels, and for the host. */
    public long address() {
        return start.address();
    }

    @Override
    public void close() {
        resources.close();
    }
}
