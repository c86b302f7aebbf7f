package io.flinkgpu.backend.cuda.lookup;

import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.cuda.dense.DenseQueue;
import io.flinkgpu.backend.cuda.device.DeviceQueue;
import io.flinkgpu.backend.cuda.device.LaunchConfig;

/** What a lookup has a device do. */
interface LookupQueue extends DeviceQueue, DenseQueue {

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

    /**
     * Launches a kernel.
     *
     * @param args host address of its parameter, which is copied by this call
     */
    void launch(LookupKernel kernel, LaunchConfig shape, long args) throws BackendException;

    /** The next launch is the first of those whose time is measured. */
    void startKernels() throws BackendException;

    /** The last launch was the last of those. */
    void endKernels() throws BackendException;

    /** Puts the number of a batch to 4 bytes of the device. */
    void putNumber(long address) throws BackendException;

    /** Checks that what was copied to this host address is what {@link #putNumber} has put. */
    void checkNumber(long hostAddress) throws BackendException;
}
