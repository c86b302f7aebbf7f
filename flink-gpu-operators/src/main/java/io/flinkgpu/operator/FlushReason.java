package io.flinkgpu.operator;

import org.apache.flink.annotation.Internal;

/** Why a batch ended. */
@Internal
public enum FlushReason {
    /** As many rows as the policy allows. */
    ROWS,
    /** As many bytes as the policy allows. */
    BYTES,
    /** Its first row waited as long as the policy allows. */
    DELAY,
    /** A checkpoint barrier. */
    CHECKPOINT,
    /** The end of the input. */
    END_OF_INPUT,
    /** A watermark that its rows must leave before: the last there is, or one that fires windows. */
    WATERMARK,
    /** The input went idle, so watermarks of others may pass its rows. */
    IDLE,
    /** A late record, which must not overtake the rows of its session. */
    LATE_RECORD,

    /** A change of what is resident, which its rows must not see; or changes that fill a batch of theirs. */
    CHANGE
}
