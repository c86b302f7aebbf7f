package io.flinkgpu.backend.cuda;

import io.flinkgpu.backend.BackendException;

/** Where memory comes from and goes back to. Called by the backend thread, unless said otherwise. */
interface MemorySource {

    /** What it hands out, for messages: {@code "device"}, {@code "pinned"}. */
    String kind();

    /**
     * Takes memory.
     *
     * @param bytes at least 1
     * @return its address, aligned to 256 bytes
     */
    long allocate(long bytes) throws BackendException;

    /** Gives back what {@link #allocate} returned. */
    void free(long address) throws BackendException;

    /** Whether memory is lent for the batches under way, and is to be given back after them. */
    default boolean isLent(long address) {
        return false;
    }

    /** Whether others wait for what is lent. */
    default boolean isWantedByOthers() {
        return false;
    }
}
