package io.flinkgpu.backend.cuda;

import io.flinkgpu.backend.BackendException;

import jcuda.driver.CUevent;
import jcuda.driver.CUevent_flags;
import jcuda.driver.JCudaDriver;

/** A point in a stream's work. The caller closes it. */
final class CudaEvent implements AutoCloseable {

    private static final float NANOS_PER_MILLI = 1e6f;

    private final CUevent event = new CUevent();

    CudaEvent() throws BackendException {
        // A subtask that waits must not spin: there may be as many of them as cores.
        CudaCheck.check(
                JCudaDriver.cuEventCreate(event, CUevent_flags.CU_EVENT_BLOCKING_SYNC),
                "cuEventCreate");
    }

    CUevent handle() {
        return event;
    }

    /** Waits until the stream has come by. */
    void await() throws BackendException {
        CudaCheck.check(JCudaDriver.cuEventSynchronize(event), "cuEventSynchronize");
    }

    /** The time between an earlier event and this one; both have come by. */
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
