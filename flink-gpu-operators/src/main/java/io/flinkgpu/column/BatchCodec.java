package io.flinkgpu.column;

import java.io.Serializable;
import java.util.function.IntPredicate;

/**
 * Turns records into rows of a text column and back. Travels in the job graph; stateless.
 *
 * @param <T> what the stream carries
 */
public interface BatchCodec<T> extends Serializable {

    /** 1 if this codec's rows are each followed by a {@code '\n'} that is not part of them, else 0. */
    int separatorBytes();

    /**
     * Appends the rows of one record: none, one or many.
     *
     * @return false if the batch has no room; then nothing was appended. An empty batch takes any record
     * @throws IllegalArgumentException if the record is too large for any batch
     */
    boolean append(T record, BatchBuilder batch);

    /**
     * Makes the output record.
     *
     * @param original the record that was appended
     * @param text the result column
     * @param changed tells of each row whether it differs from what was appended
     * @param firstRow the record's first row
     * @param rows how many rows {@link #append} made of it, at least 1
     * @return the original itself if no row changed
     */
    T read(T original, TextView text, IntPredicate changed, int firstRow, int rows);
}
