package io.flinkgpu.operator;

import io.flinkgpu.column.ColumnBuilder;

import org.apache.flink.annotation.Internal;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.runtime.watermarkstatus.WatermarkStatus;

import org.apache.arrow.memory.OutOfMemoryException;

import java.io.Closeable;
import java.io.IOException;

/**
 * A verb at work in one operator: how records become rows of the open batch, what is kept of a batch on
 * its way, and what marks do. A {@link BatchEngine} says when. Task thread only.
 *
 * @param <IN> what comes in
 * @param <R> result of a batch
 */
@Internal
public interface BatchFunction<IN, R extends AutoCloseable> extends Closeable {

    /** The columns that {@link #append} fills; null where the engine was not opened. */
    ColumnBuilder columns();

    /**
     * Does at once what there is to do with a record, if it needs no batch.
     *
     * @return false if it needs one; then it is appended next
     */
    default boolean processAlone(StreamRecord<IN> element) throws Exception {
        return false;
    }

    /**
     * Appends a record to the open batch.
     *
     * @return false if it has no room
     * @throws OutOfMemoryException if there is no memory for it; it can be appended again
     */
    boolean append(StreamRecord<IN> element) throws Exception;

    /** Why a record cannot be appended although nothing else takes memory. */
    default IllegalStateException noMemory(IN value, OutOfMemoryException cause) {
        return new IllegalStateException(
                "no memory for a batch with this record: "
                        + cause.getMessage()
                        + "; raise memoryLimitBytes or lower the batch policy's maxBytes",
                cause);
    }

    /**
     * Does without a record that cannot be appended although nothing else takes memory.
     *
     * @return false if that fails the task
     */
    default boolean refuse(StreamRecord<IN> element, OutOfMemoryException reason) {
        return false;
    }

    /** Whether there is no open batch. */
    default boolean isEmpty() {
        return columns().rows() == 0;
    }

    /**
     * What is kept of the open batch, which is sent now; the next one starts. The columns are sealed
     * afterwards.
     */
    InFlightBatch<R> take();

    /** Whether a batch's rows are counted when it is sent; else {@link #take what is kept of it} does. */
    default boolean countsRows() {
        return true;
    }

    /** Called when all batches were emitted because something must not pass them. */
    default void drained() throws Exception {}

    /** The barrier of a checkpoint passes; called after {@link #drained}. */
    default void barrier(long checkpointId) {}

    /** Takes a mark that came after all records so far. */
    void mark(Mark mark) throws Exception;

    /**
     * Takes a watermark.
     *
     * @param mark passes it on
     */
    default void watermark(Watermark watermark, Mark mark) throws Exception {
        mark(mark);
    }

    /**
     * Takes the news that the input is idle, or active again.
     *
     * @param mark passes it on
     */
    default void status(WatermarkStatus status, Mark mark) throws Exception {
        mark(mark);
    }

    /** Gives the memory of the open batch back. */
    @Override
    default void close() throws IOException {
        if (columns() != null) {
            columns().close();
        }
    }
}
