package io.flinkgpu.backend.cuda.device;

import io.flinkgpu.backend.BackendException;

import org.apache.flink.annotation.Internal;

import jcuda.driver.CUevent;
import jcuda.driver.CUevent_flags;
import jcuda.driver.CUresult;
import jcuda.driver.JCudaDriver;

/** A point in a stream's work. The caller closes it. */
@Internal
public final class CudaEvent implements AutoCloseable {

    private static final float NANOS_PER_MILLI = 1e6f;

    private final CUevent event = new CUevent();

    private CudaEvent(int flags) throws BackendException {
        CudaCheck.check(JCudaDriver.cuEventCreate(event, flags), "cuEventCreate");
    }

    /** One that knows when the stream came by. Nobody waits for it. */
    static CudaEvent timed() throws BackendException {
        return new CudaEvent(CUevent_flags.CU_EVENT_DEFAULT);
    }

    /** One to poll. */
    static CudaEvent polled() throws BackendException {
        return new CudaEvent(CUevent_flags.CU_EVENT_DISABLE_TIMING);
    }

    /** One to sleep until. The device interrupts a processor whenever a stream comes by. */
    static CudaEvent waking() throws BackendException {
        return new CudaEvent(
                CUevent_flags.CU_EVENT_BLOCKING_SYNC | CUevent_flags.CU_EVENT_DISABLE_TIMING);
    }

    CUevent handle() {
        return event;
    }

    /** Whether the stream has come by. */
    boolean isPast() throws BackendException {
        int result = JCudaDriver.cuEventQuery(event);
        if (result == CUresult.CUDA_ERROR_NOT_READY) {
            return false;
        }
        CudaCheck.check(result, "cuEventQuery");
        return true;
    }

    /** Waits until the stream has come by. */
    void await() throws BackendException {
        CudaCheck.check(JCudaDriver.cuEventSynchronize(event), "cuEventSynchronize");
    }

    /** The time between an earlier event and this one; both are timed and have come by. */
    long nanosSince(CudaEvent earlier) throws BackendException {
        float[] millis = new float[1];
        CudaCheck.check(
                JCudaDriver.cuEventElapsedTime(millis, earlier.event, event), "cuEventElapsedTime");
        return (long) (millis[0] * NANOS_PER_MILLI);
    }

    @Override
    public void close() throws BackendException {
        CudaCheck.checkRelease(JCudaDriver.cuEventDestroy(event), "cuEventDestroy");
    }
}
