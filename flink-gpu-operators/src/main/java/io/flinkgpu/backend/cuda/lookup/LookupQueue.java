package io.flinkgpu.backend.cuda.lookup;

import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.cuda.dense.DenseQueue;
import io.flinkgpu.backend.cuda.device.LaunchConfig;

/** Work for a device, done in the order in which it is enqueued; only {@link #await} waits. */
interface LookupQueue extends DenseQueue {

    /** Device memory that grows with the batches. */
    interface Room {

        /**
         * Makes room, while nothing that is under way uses it.
         *
         * @return whether it is other memory than before, and what was there is lost
         */
        boolean reserve(long bytes) throws BackendException;

        /** Where it is, aligned to 256 bytes. */
        long address();
    }

    /** Room that the queue closes. */
    Room newRoom();

    /** Zeroes device memory. */
    void zero(long address, long bytes) throws BackendException;

    /** Copies from host memory of the backend's allocator, which stays as it is until this is done. */
    void copyToDevice(long address, long hostAddress, long bytes) throws BackendException;

    /** Copies to host memory of the backend's allocator. */
    void copyToHost(long hostAddress, long address, long bytes) throws BackendException;

    /**
     * Launches a kernel.
     *
     * @param args host address of its parameter, which is copied by this call
     */
    void launch(LookupKernel kernel, LaunchConfig shape, long args) throws BackendException;

    /** The next launch is the first of those whose time is measured. */
    void beginKernels() throws BackendException;

    /** The last launch was the last of those. */
    void endOfKernels() throws BackendException;

    /** Puts the number of a batch to 4 bytes of the device. */
    void markNumber(long address) throws BackendException;

    /** Checks that what was copied to this host address is what {@link #markNumber} has put. */
    void requireNumber(long hostAddress) throws BackendException;

    /** Waits until all is done. */
    void await() throws BackendException;
}
