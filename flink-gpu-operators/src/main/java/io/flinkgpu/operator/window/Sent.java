package io.flinkgpu.operator.window;

import org.apache.flink.annotation.Internal;

/** What of records is sent to the subtasks of their keys. */
@Internal
public enum Sent {
    /** Each record as it came. */
    RECORDS,
    /** Keys and values, many at a time; those of a key in the order in which they came. */
    ROWS,
    /** What is kept of all with the same key and slice, or rows where these are about as few. */
    GROUPS
}
