package io.flinkgpu.backend.cuda.device;

import io.flinkgpu.backend.BackendException;

import org.apache.flink.annotation.Internal;

import jcuda.driver.JCudaDriver;
import org.apache.arrow.memory.util.MemoryUtil;

import java.util.stream.LongStream;

/**
 * Host memory that kernels read over the link. It starts at a page, of 2 MiB where it is as large, and with zeros.
 * The caller closes it, once the device is done with it; backend thread only.
 */
@Internal
public final class MappedMemory implements AutoCloseable {

    private static final long PAGE_BYTES = 4096;
    private static final long HUGE_PAGE_BYTES = 2L << 20;

    private static final long ZEROED_AT_ONCE = 4L << 20;

    private static final int MAPPED = JCudaDriver.CU_MEMHOSTREGISTER_DEVICEMAP;

    private final CloseStack resources = new CloseStack();
    private final long hostAddress;
    private final long deviceAddress;

    /**
     * @throws BackendException if there is no such memory, or the system does not let it be locked
     */
    public MappedMemory(long bytes) throws BackendException {
        long page = bytes >= HUGE_PAGE_BYTES ? HUGE_PAGE_BYTES : PAGE_BYTES;
        long room = (bytes + page - 1) & -page;
        try {
            long allocated = allocate(room + page);
            resources.push(() -> MemoryUtil.freeMemory(allocated));
            hostAddress = (allocated + page - 1) & -page;
            zero(hostAddress, room);
            HostPointer host = new HostPointer(hostAddress);
            CudaCheck.check(
                    JCudaDriver.cuMemHostRegister(host, room, MAPPED),
                    "cuMemHostRegister of "
                            + room
                            + " bytes of vectors, which the limit of locked memory (ulimit -l) must allow,");
            resources.push(
                    () ->
                            CudaCheck.checkRelease(
                                    JCudaDriver.cuMemHostUnregister(host), "cuMemHostUnregister"));
            DevicePointer device = new DevicePointer();
            CudaCheck.check(
                    JCudaDriver.cuMemHostGetDevicePointer(device, host, 0),
                    "cuMemHostGetDevicePointer");
            deviceAddress = device.address();
        } catch (BackendException | RuntimeException | Error e) {
            resources.closeAfter(e);
            throw e;
        }
    }

    /** By all cores that have nothing to do: for the system it is the time to give pages. */
    private static void zero(long address, long bytes) {
        LongStream.range(0, (bytes + ZEROED_AT_ONCE - 1) / ZEROED_AT_ONCE)
                .parallel()
                .map(part -> part * ZEROED_AT_ONCE)
                .forEach(
                        at ->
                                MemoryUtil.setMemory(
                                        address + at,
                                        Math.min(ZEROED_AT_ONCE, bytes - at),
                                        (byte) 0));
    }

    private static long allocate(long bytes) throws BackendException {
        try {
            return MemoryUtil.allocateMemory(bytes);
        } catch (OutOfMemoryError e) {
            throw new BackendException("no host memory for vectors: bytes=" + bytes, e);
        }
    }

    /** Where it is for the host. */
    public long hostAddress() {
        return hostAddress;
    }

    /** Where it is for kernels. */
    public long deviceAddress() {
        return deviceAddress;
    }

    @Override
    public void close() {
        resources.close();
    }
}
