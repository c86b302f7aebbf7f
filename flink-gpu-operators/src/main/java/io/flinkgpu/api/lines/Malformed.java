package io.flinkgpu.api.lines;

import org.apache.flink.annotation.PublicEvolving;

/** What becomes of a line that does not have the fields of its format. Each is counted. */
@PublicEvolving
public enum Malformed {
    /** The first one fails the job, with its file, its place, and what is wrong with it. */
    FAIL,
    /** It is left out. */
    SKIP
}
