package io.flinkgpu.backend;

import io.flinkgpu.column.RowReader;

import org.apache.flink.annotation.Internal;

/**
 * A program that takes records one at a time, their texts as the {@code String}s they are: no batch, no
 * columns, no memory besides the heap's. Where it answers, it answers as the same program over columns
 * does. Not thread-safe.
 */
@Internal
public interface RowProgram {

    /**
     * Computes the results of a record.
     *
     * @param reader of the program's columns
     * @return in order, each a {@code String}, {@code Long}, {@code Double}, {@code Boolean} or null, the
     *     caller's; null if only columns have the answer, as where an unpaired surrogate is cut into bytes
     * @throws IllegalStateException if a column cannot be read of the record, naming it
     */
    <T> Object[] run(RowReader<T> reader, T record);
}
