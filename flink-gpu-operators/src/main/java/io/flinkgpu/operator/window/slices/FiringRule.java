package io.flinkgpu.operator.window.slices;

import io.flinkgpu.api.Errors;
import io.flinkgpu.groups.GroupBlock;
import io.flinkgpu.operator.window.WindowInput;

import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/**
 * Which windows in tables a record is added to, and when windows fire: what differs between kinds of time
 * and triggers. {@link SlicedWindowOperator} calls it with all groups in the tables, none of them on the
 * heap of state as well. Task thread only.
 *
 * @param <S> the key in state
 * @param <T> the record
 */
interface FiringRule<S, T> {

    /** Called once, before anything else, when restored groups are there. */
    default void start() throws Exception {}

    /** Adds a record that came as it was; the tables have read it. */
    void add(StreamRecord<WindowInput<S, T>> element) throws Exception;

    /**
     * Adds the rows and groups of a block.
     *
     * @throws IllegalStateException if each record has to come as it was
     */
    default void add(GroupBlock block) throws Exception {
        throw Errors.state(
                "these windows are of records as they come: block=%s; both operators must be of one"
                        + " job",
                block);
    }

    /** Called with each watermark, before it is sent on. */
    void watermark(long timestamp) throws Exception;

    /** Called before groups go to state for lack of memory. */
    default void memoryIsFull() throws Exception {}

    /** Called when the input has ended. */
    default void finish() throws Exception {}
}
