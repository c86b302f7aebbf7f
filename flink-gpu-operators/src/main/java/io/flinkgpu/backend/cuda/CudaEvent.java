package io.flinkgpu.backend.cuda;

import io.flinkgpu.backend.BackendException;

import jcuda.driver.CUevent;
import jcuda.driver.CUevent_flags;
import jcuda.driver.CUresult;
import jcuda.driver.JCudaDriver;

/** A point in a stream's work. The caller closes it. */
final class CudaEvent implements AutoCloseable {

    private static final float NANOS_PER_MILLI = 1e6f;

    /** How long {@link #awaitSoon} looks: what a batch of a few MiB takes on its way through the device. */
    private static final long LOOK_NANOS = 250_000;

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

    /**
     * Waits for what is likely to be there soon. A thread that sleeps is woken 25 to 80 us late, which is
     * a large part of a small batch's time; so while there are cores to spare this looks a while before it
     * sleeps, and lets other threads have its core meanwhile.
     */
    void awaitSoon() throws BackendException {
        long start = System.nanoTime();
        while (SpareCores.OF_PROCESS.areThere() && System.nanoTime() - start < LOOK_NANOS) {
            int result = JCudaDriver.cuEventQuery(event);
            if (result != CUresult.CUDA_ERROR_NOT_READY) {
                CudaCheck.check(result, "cuEventQuery");
                return;
            }
            Thread.yield();
        }
        await();
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
