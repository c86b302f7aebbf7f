package io.flinkgpu.backend.cuda.device;

import io.flinkgpu.backend.BackendException;

import jcuda.driver.CUcontext;
import jcuda.driver.CUdevice;
import jcuda.driver.JCudaDriver;

/**
 * A hold on the device's primary context. The caller closes it. A context is current per thread: see {@link
 * #makeCurrent()}.
 */
final class CudaContext implements AutoCloseable {

    private final CudaDevice device;
    private final CUdevice handle;
    private final CUcontext context = new CUcontext();

    CudaContext(CudaDevice device) throws BackendException {
        this.device = device;
        this.handle = CudaProbe.handle(device.ordinal());
        CudaCheck.check(
                JCudaDriver.cuDevicePrimaryCtxRetain(context, handle),
                "cuDevicePrimaryCtxRetain on " + device);
    }

    CudaDevice device() {
        return device;
    }

    /** Lets the calling thread use the device. Cheap; a thread may call it before every use. */
    void makeCurrent() throws BackendException {
        CudaCheck.check(JCudaDriver.cuCtxSetCurrent(context), "cuCtxSetCurrent");
    }

    /** Whether it can do nothing any more; waits until the device has done all work. */
    boolean isLost() {
        int current = JCudaDriver.cuCtxSetCurrent(context);
        return CudaCheck.isFatal(current) || CudaCheck.isFatal(JCudaDriver.cuCtxSynchronize());
    }

    /** Takes the context from the calling thread. */
    void clearCurrent() throws BackendException {
        CudaCheck.checkRelease(JCudaDriver.cuCtxSetCurrent(new CUcontext()), "cuCtxSetCurrent 0");
    }

    /** Takes the context from the calling thread and gives the hold back. */
    @Override
    public void close() throws BackendException {
        clearCurrent();
        CudaCheck.checkRelease(
                JCudaDriver.cuDevicePrimaryCtxRelease(handle), "cuDevicePrimaryCtxRelease");
    }
}
