package io.flinkgpu.backend.cuda.device;

import io.flinkgpu.backend.BackendException;

import org.apache.flink.annotation.Internal;

import jcuda.Pointer;
import jcuda.driver.CUresult;
import jcuda.driver.CUstream;
import jcuda.driver.CUstream_flags;
import jcuda.driver.JCudaDriver;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Work for the device, done in the order in which it is enqueued. No call but {@link #drain} waits.
 * Addresses are those of memory that stays until the work is done. The caller closes it.
 */
@Internal
public final class CudaStream implements AutoCloseable {

    private final CUstream stream = new CUstream();
    private final PinnedMemory pinned;
    private final CopyTimes<CudaEvent> copyTimes;

    /**
     * @param pinned where all host memory that is copied comes from
     * @param linkNanos the time of copies is added to, when they are {@link #drain drained}
     */
    CudaStream(PinnedMemory pinned, AtomicLong linkNanos) throws BackendException {
        this.pinned = pinned;
        copyTimes = new CopyTimes<>(new Events(), linkNanos);
        CudaCheck.check(
                JCudaDriver.cuStreamCreate(stream, CUstream_flags.CU_STREAM_NON_BLOCKING),
                "cuStreamCreate");
    }

    /** Zeroes device memory. */
    public void zero(long deviceAddress, long bytes) throws BackendException {
        copyTimes.beforeOther();
        CudaCheck.check(
                JCudaDriver.cuMemsetD8Async(
                        DevicePointer.of(deviceAddress), (byte) 0, bytes, stream),
                () -> "cuMemsetD8Async of " + bytes + " bytes");
    }

    /** Sets an int of device memory. */
    void put(long deviceAddress, int value) throws BackendException {
        copyTimes.beforeOther();
        CudaCheck.check(
                JCudaDriver.cuMemsetD32Async(DevicePointer.of(deviceAddress), value, 1, stream),
                "cuMemsetD32Async");
    }

    /** Copies to the device; nothing if there are no bytes. */
    public void copyToDevice(long deviceAddress, long hostAddress, long bytes)
            throws BackendException {
        copyTimes.beforeCopy(bytes);
        long step;
        for (long at = 0; at < bytes; at += step) {
            long copied = pinned.lock(hostAddress + at, bytes - at);
            step = copied;
            CudaCheck.check(
                    JCudaDriver.cuMemcpyHtoDAsync(
                            DevicePointer.of(deviceAddress + at),
                            new HostPointer(hostAddress + at),
                            copied,
                            stream),
                    () -> "cuMemcpyHtoDAsync of " + copied + " bytes");
        }
    }

    /** Copies to the host; nothing if there are no bytes. */
    public void copyToHost(long hostAddress, long deviceAddress, long bytes)
            throws BackendException {
        copyTimes.beforeCopy(bytes);
        long step;
        for (long at = 0; at < bytes; at += step) {
            long copied = pinned.lock(hostAddress + at, bytes - at);
            step = copied;
            CudaCheck.check(
                    JCudaDriver.cuMemcpyDtoHAsync(
                            new HostPointer(hostAddress + at),
                            DevicePointer.of(deviceAddress + at),
                            copied,
                            stream),
                    () -> "cuMemcpyDtoHAsync of " + copied + " bytes");
        }
    }

    /**
     * Launches a kernel; nothing if there are no blocks.
     *
     * @param argsAddress host address of the kernel's only parameter, which is copied by this call
     */
    public void launch(Kernel kernel, LaunchConfig shape, long argsAddress)
            throws BackendException {
        if (shape.blocks() > 0) {
            copyTimes.beforeOther();
            CudaCheck.check(
                    JCudaDriver.cuLaunchKernel(
                            kernel.function(),
                            shape.blocks(),
                            1,
                            1,
                            shape.threads(),
                            1,
                            1,
                            shape.sharedBytes(),
                            stream,
                            Pointer.to(new HostPointer(argsAddress)),
                            null),
                    () -> "launch of " + kernel.name() + " with " + shape);
        }
    }

    /** Has what is enqueued from here on wait for what was recorded last; for nothing if nothing was. */
    public void waitFor(Completion earlier) throws BackendException {
        copyTimes.beforeOther();
        CudaCheck.check(
                JCudaDriver.cuStreamWaitEvent(stream, earlier.event().handle(), 0),
                "cuStreamWaitEvent");
    }

    void record(CudaEvent event) throws BackendException {
        copyTimes.beforeOther();
        recordAlone(event);
    }

    private void recordAlone(CudaEvent event) throws BackendException {
        CudaCheck.check(JCudaDriver.cuEventRecord(event.handle(), stream), "cuEventRecord");
    }

    /** Waits until all work is done. A lost context has none left. */
    void drain() throws BackendException {
        copyTimes.beforeWait();
        int result = JCudaDriver.cuStreamSynchronize(stream);
        if (result == CUresult.CUDA_SUCCESS) {
            copyTimes.add();
        } else {
            copyTimes.forget();
        }
        CudaCheck.checkRelease(result, "cuStreamSynchronize");
    }

    @Override
    public void close() throws BackendException {
        copyTimes.close();
        CudaCheck.checkRelease(JCudaDriver.cuStreamDestroy(stream), "cuStreamDestroy");
    }

    /** Marks of this stream. */
    private final class Events implements CopyTimes.Marks<CudaEvent> {

        @Override
        public CudaEvent open() throws BackendException {
            return CudaEvent.timed();
        }

        @Override
        public void put(CudaEvent event) throws BackendException {
            recordAlone(event);
        }

        @Override
        public long nanos(CudaEvent from, CudaEvent to) throws BackendException {
            return to.nanosSince(from);
        }
    }
}
