package io.flinkgpu.api;

import org.apache.flink.annotation.PublicEvolving;

/** What becomes of a file that was listed and then deleted, cut short or written anew. */
@PublicEvolving
public enum MissingFile {

    /** The job fails, and does so after each restart until the file is there again. */
    FAIL,

    /** What of the file was not read yet is left out; counted, and logged with the file's name. */
    SKIP
}
