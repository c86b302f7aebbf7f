package io.flinkgpu.backend.cpu.transform;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;

/**
 * A column while it is written, block by block. Throws Arrow's {@code OutOfMemoryException} when it is
 * too large for the allocator, or for a column's offsets. Closed in any case, which leaves the finished
 * column alone.
 */
interface OutputColumn extends AutoCloseable {

    /** Appends the rows of a block, as the registers have them. */
    void append(int rows);

    /** The column, the caller's to close. */
    FieldVector finish();

    @Override
    void close();

    /** Starts a column of a batch; reads always the same registers. */
    @FunctionalInterface
    interface Factory {

        OutputColumn open(BufferAllocator allocator, int rows, int separatorBytes);
    }
}
