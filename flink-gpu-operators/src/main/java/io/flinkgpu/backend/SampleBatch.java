package io.flinkgpu.backend;

import io.flinkgpu.column.ColumnBatch;

import org.apache.flink.annotation.Internal;

import org.apache.arrow.memory.BufferAllocator;

/**
 * A batch of made-up rows to measure backends with, the same at each run. The caller closes it.
 *
 * @param bytes of its values
 */
@Internal
public record SampleBatch(ColumnBatch batch, int bytes) implements AutoCloseable {

    /** Makes such batches. */
    @FunctionalInterface
    public interface Maker {

        /**
         * Makes a batch that is full, or nearly.
         *
         * @throws org.apache.arrow.memory.OutOfMemoryException if there is no memory for it
         */
        SampleBatch make(BufferAllocator allocator, int maxRows, int maxBytes);
    }

    @Override
    public void close() {
        batch.close();
    }
}
