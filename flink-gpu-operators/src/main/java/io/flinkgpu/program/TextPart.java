package io.flinkgpu.program;

import org.apache.flink.annotation.Internal;

import java.io.Serializable;

/**
 * A piece of an output text, written after the pieces before it if its guard allows.
 *
 * @param guard register of a condition that is never null, or -1 for always
 * @param whenTrue the value of the guard that allows it
 * @param text what is written; if it is null, so is the whole output
 * @param change what is done to it on the way out
 * @param what the literal that {@link Change#REPLACE} replaces, else -1
 * @param with the literal that it puts there, else -1
 */
@Internal
public record TextPart(int guard, boolean whenTrue, Operand text, Change change, int what, int with)
        implements Serializable {

    private static final long serialVersionUID = 1L;

    /** What is done to a text while it is written. */
    public enum Change {
        NONE,
        /** Simple case mapping of each valid code point, {@code Character.toUpperCase(int)}. */
        UPPER,
        /** Simple case mapping of each valid code point, {@code Character.toLowerCase(int)}. */
        LOWER,
        /** Non-overlapping occurrences from left to right are replaced. */
        REPLACE
    }
}
