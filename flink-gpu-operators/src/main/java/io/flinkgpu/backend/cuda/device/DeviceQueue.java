package io.flinkgpu.backend.cuda.device;

import io.flinkgpu.backend.BackendException;

import org.apache.flink.annotation.Internal;

/** Work for a device, done in the order in which it is enqueued; only {@link #await} waits. */
@Internal
public interface DeviceQueue {

    /** Zeroes device memory. */
    void zero(long address, long bytes) throws BackendException;

    /** Copies from host memory of the backend's allocator, which stays as it is until this is done. */
    void copyToDevice(long address, long hostAddress, long bytes) throws BackendException;

    /** Copies to host memory of the backend's allocator. */
    void copyToHost(long hostAddress, long address, long bytes) throws BackendException;

    /** Waits until all is done. */
    void await() throws BackendException;
}
