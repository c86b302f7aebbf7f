package io.flinkgpu.api;

import org.apache.flink.annotation.PublicEvolving;

/** What becomes of a line that is longer than allowed; it is never in memory as a whole. */
@PublicEvolving
public enum LongLine {

    /** The job fails, naming the line's place. */
    FAIL,

    /** The line is replaced by {@link FilePolicy#LABEL}; counted, and logged with its place. */
    LABEL,

    /** The line is left out; counted, and logged with its place. */
    SKIP
}
