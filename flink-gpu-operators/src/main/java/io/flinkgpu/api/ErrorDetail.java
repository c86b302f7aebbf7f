package io.flinkgpu.api;

import org.apache.flink.annotation.PublicEvolving;

/**
 * How much of what records contain is in errors, and so in logs and web pages that more people read than
 * the data. Whatever is chosen, an error names the column or field, the place where it is known, what is
 * wrong, and the remedy.
 */
@PublicEvolving
public enum ErrorDetail {
    /** Nothing: of a value its class, and the length of a text. */
    NONE,
    /**
     * Likewise, and of a value 12 hex digits of an HMAC-SHA-256, so that the same value can be recognised
     * in other errors of the job, restarts included. The key is drawn when this is chosen and travels in
     * the job graph: whoever can read that can try values out.
     */
    HASHED,
    /** The values, shortened, and the exceptions of getters and the like as they were thrown. */
    FULL
}
