package io.flinkgpu.column;

import org.apache.flink.annotation.Internal;

import java.io.Serializable;

/**
 * Turns records into rows of a text column and back. Travels in the job graph; stateless.
 *
 * @param <T> what the stream carries
 */
@Internal
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
     * Makes the output record of one whose rows changed.
     *
     * @param original the record that was appended
     * @param rows its rows as they are now, until this returns
     */
    T read(T original, RecordRows rows);
}
