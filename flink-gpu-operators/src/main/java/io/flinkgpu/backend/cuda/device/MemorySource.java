package io.flinkgpu.backend.cuda.device;

import io.flinkgpu.backend.BackendException;

/** Where memory comes from and goes back to. Called by the backend thread, unless said otherwise. */
interface MemorySource {

    /**
     * Takes memory.
     *
     * @param bytes at least 1
     */
    MemoryBlock allocate(long bytes) throws BackendException;

    /** Gives back what {@link #allocate} returned, once. */
    void free(MemoryBlock block) throws BackendException;
}
