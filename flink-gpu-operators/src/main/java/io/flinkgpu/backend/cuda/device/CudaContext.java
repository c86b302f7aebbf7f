package io.flinkgpu.backend.cuda.device;

import io.flinkgpu.backend.BackendException;

import jcuda.driver.CUcontext;
import jcuda.driver.CUdevice;
import jcuda.driver.JCudaDriver;

/**
 * A hold on the device's primary context, which all holders in the process share. The caller closes it.
 * A context is current per thread: see {@link #makeCurrent()}.
 */
public final class CudaContext implements AutoCloseable {

    private final CudaDevice device;
    private final CUdevice handle;
    private final CUcontext context = new CUcontext();

    public CudaContext(CudaDevice device) throws BackendException {
        this.device = device;
        this.handle = CudaProbe.handle(device.ordinal());
        CudaCheck.check(
                JCudaDriver.cuDevicePrimaryCtxRetain(context, handle),
                "cuDevicePrimaryCtxRetain on " + device);
    }

    public CudaDevice device() {
        return device;
    }

    /** Lets the calling thread use the device. Cheap; a thread may call it before every use. */
    public void makeCurrent() throws BackendException {
        CudaCheck.check(JCudaDriver.cuCtxSetCurrent(context), "cuCtxSetCurrent");
    }

    /** Takes the context from the calling thread and gives the hold back. */
    @Override
    public void close() throws BackendException {
        CudaCheck.checkRelease(JCudaDriver.cuCtxSetCurrent(new CUcontext()), "cuCtxSetCurrent 0");
        CudaCheck.checkRelease(
                JCudaDriver.cuDevicePrimaryCtxRelease(handle), "cuDevicePrimaryCtxRelease");
    }
}
