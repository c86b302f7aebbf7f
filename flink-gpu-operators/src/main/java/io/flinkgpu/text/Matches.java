package io.flinkgpu.text;

import org.apache.flink.annotation.Internal;

/**
 * The matches of rules in a row: from left to right, and at one start in the order of the rules. Where offsets count
 * from is up to who sets the row. Not thread-safe.
 */
@Internal
public interface Matches {

    /**
     * Finds the leftmost match that starts at {@code from} or after it, and of those that start there the first
     * rule's. {@code from} never decreases, and is after the start of the last match.
     *
     * @return whether there is one; then the other methods describe it
     */
    boolean find(int from);

    /**
     * Finds the match of the next rule that matches where the last match starts.
     *
     * @return whether there is one; then the other methods describe it
     */
    boolean findLater();

    /** The first byte of the last match. */
    int start();

    /** After the last byte of the last match. */
    int end();

    /** The rule that matched, by its index in the set. */
    int rule();

    /** Where what is replaced of the last match starts: its group, or all of it. */
    int replacedStart();

    /** After what is replaced of the last match. */
    int replacedEnd();
}
