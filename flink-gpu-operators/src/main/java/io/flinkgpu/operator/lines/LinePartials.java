package io.flinkgpu.operator.lines;

import io.flinkgpu.column.RowValues;
import io.flinkgpu.groups.GroupSource;
import io.flinkgpu.groups.KeyBytes;

import org.apache.flink.annotation.Internal;
import org.apache.flink.streaming.api.operators.Output;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

import java.io.Serializable;

/**
 * Takes the groups of lines by key and slice, batch after batch, and sends them on in whatever form: partial results,
 * which what comes after puts together. Task thread only.
 */
@Internal
public interface LinePartials extends AutoCloseable {

    /**
     * Adds a group.
     *
     * @param key UTF-8; valid until this returns, as the group is
     * @param slice where the slice begins
     */
    void merge(KeyBytes key, long slice, GroupSource group) throws Exception;

    /**
     * Adds a line.
     *
     * @param key likewise
     * @param values of the plan, in its order
     */
    void add(KeyBytes key, long slice, RowValues values) throws Exception;

    /** A watermark is to follow: what has to be before it is sent. */
    void advance(long watermark) throws Exception;

    /** Sends all, for a checkpoint or the end of the input. */
    void flush() throws Exception;

    /** Sends nothing; gives all memory back. */
    @Override
    void close();

    /** Makes them; travels in the job graph. */
    @Internal
    interface Factory<OUT> extends Serializable {

        /** Called when an operator opens; the task's thread. */
        LinePartials open(Output<StreamRecord<OUT>> output);

        /** What they may take off the heap. */
        long maxBytes();
    }
}
