package io.flinkgpu.backend.cuda.search;

import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.cuda.device.LaunchConfig;

/** Work for a device, done in the order in which it is enqueued; only {@link #await} waits. */
interface SearchQueue {

    /**
     * Device memory for a batch, aligned to 256 bytes. What was there is lost if it grows; nothing is under
     * way then.
     */
    long workspace(long bytes) throws BackendException;

    /** Zeroes device memory. */
    void zero(long address, long bytes) throws BackendException;

    /** Copies from host memory, which stays as it is until this is done. */
    void copyToDevice(long address, long hostAddress, long bytes) throws BackendException;

    void copyToHost(long hostAddress, long address, long bytes) throws BackendException;

    /**
     * Launches a kernel.
     *
     * @param args host address of its parameter, which is copied by this call
     */
    void launch(SearchKernel kernel, LaunchConfig shape, long args) throws BackendException;

    /** Has what is enqueued from here on wait for the searches that are under way. */
    void waitForSearches() throws BackendException;

    /** A number that no batch before has, for what comes with its results. */
    int nextNumber();

    /**
     * Has {@link #await(int)} wait for what is enqueued by now.
     *
     * @param mark from 0 on; each may be put again and again
     */
    void mark(int mark) throws BackendException;

    /** Waits for what was enqueued before a mark was put. */
    void await(int mark) throws BackendException;

    /** Waits until all is done. */
    void await() throws BackendException;
}
