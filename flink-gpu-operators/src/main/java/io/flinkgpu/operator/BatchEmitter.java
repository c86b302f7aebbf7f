package io.flinkgpu.operator;

import org.apache.flink.annotation.Internal;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/**
 * Makes output of results. A batch's result comes in one part or several, and the rows of a record may
 * lie in several of them. Task thread only.
 *
 * @param <IN> what the records carry
 * @param <R> result of a batch, or of some of its rows
 */
@Internal
public interface BatchEmitter<IN, R extends AutoCloseable> {

    /**
     * Starts on the next part, which is open until the next one.
     *
     * @return its rows
     */
    int start(R part);

    /**
     * Gets the records whose last rows are in the started part, all at once, before any of them is emitted and before
     * any mark among them.
     *
     * @param records valid during the call
     */
    default void records(PartRecords<IN> records) {}

    /**
     * Takes the rows of a record that the started part has, none for a record that has none at all;
     * emits the record if they are its last.
     */
    void emit(StreamRecord<IN> record, int firstRow, int rows, boolean last);

    /** Called once for each batch that has rows, after all of its parts. */
    default void completed(int rows, int bytes) {}
}
