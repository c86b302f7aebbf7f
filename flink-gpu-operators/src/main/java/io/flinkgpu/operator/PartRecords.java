package io.flinkgpu.operator;

import org.apache.flink.annotation.Internal;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/**
 * The records whose last rows are in a part of a batch's result. Task thread only.
 *
 * @param <IN> what the records carry
 */
@Internal
public interface PartRecords<IN> {

    /** How many there are. */
    int count();

    /**
     * One of them, which is reused by the next call.
     *
     * @param number from 0 on, in their order
     */
    StreamRecord<IN> record(int number);
}
