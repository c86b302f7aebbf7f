package io.flinkgpu.operator;

import org.apache.flink.annotation.Internal;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/**
 * What becomes of records that cannot be put into a batch, where that does not fail the task. Task thread
 * only.
 */
@Internal
public interface RecordRefusals<IN> {

    /** A record was put into a batch. */
    void accepted();

    /** A record was not, and is not emitted. */
    void refused(StreamRecord<IN> record, RuntimeException reason);
}
