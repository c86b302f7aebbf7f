package io.flinkgpu.backend.cuda.search;

import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.cuda.device.DeviceQueue;
import io.flinkgpu.backend.cuda.device.LaunchConfig;

/** What a search has a device do. */
interface SearchQueue extends DeviceQueue {

    /**
     * Device memory for a batch, aligned to 256 bytes. What was there is lost if it grows; nothing is under
     * way then.
     */
    long workspace(long bytes) throws BackendException;

    /**
     * Launches a kernel.
     *
     * @param args host address of its parameter, which is copied by this call
     */
    void launch(SearchKernel kernel, LaunchConfig shape, long args) throws BackendException;

    /** Has what is enqueued from here on wait for the searches that are under way. */
    void waitForSearches() throws BackendException;

    /** A number that no batch before has, for what comes with its results. */
    int nextBatch();

    /**
     * Has {@link #await(int)} wait for what is enqueued by now.
     *
     * @param mark from 0 on; each may be put again and again
     */
    void mark(int mark) throws BackendException;

    /** Waits for what was enqueued before a mark was put. */
    void await(int mark) throws BackendException;
}
