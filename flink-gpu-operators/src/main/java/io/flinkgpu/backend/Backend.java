package io.flinkgpu.backend;

import org.apache.flink.annotation.Internal;

import org.apache.arrow.memory.BufferAllocator;

/**
 * Runs plans over batches. One instance serves one operator subtask; its methods, and those of what it
 * compiles, are called by one thread, the operator's backend thread. Only {@link #allocator()} may be
 * used by the task thread as well, and {@link #linkNanos()} by any.
 */
@Internal
public interface Backend extends AutoCloseable {

    /** Where batches run. */
    Placement placement();

    /**
     * Where columns for this backend are built (pinned memory for CUDA). Limited; thread-safe; owned
     * by the backend.
     */
    BufferAllocator allocator();

    /**
     * How long copies of batches between host and device took, in all since it opened; 0 where there is no
     * link. Any thread.
     */
    default long linkNanos() {
        return 0;
    }

    /**
     * Prepares a plan; gives back what it prepared if it fails.
     *
     * @return the program; the caller closes it before the backend
     * @throws BackendException also when the backend has no engine for plans of this kind
     */
    <R extends AutoCloseable> CompiledProgram<R> compile(Plan<R> plan) throws BackendException;

    /**
     * Gives everything back. Every batch and result must be closed before.
     *
     * @throws IllegalStateException when memory is still held, with the amounts
     */
    @Override
    void close();
}
