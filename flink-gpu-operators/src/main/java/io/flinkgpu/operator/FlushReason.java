package io.flinkgpu.operator;

/** Why a batch ended. */
enum FlushReason {
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
    /** The last watermark there is. */
    WATERMARK
}
