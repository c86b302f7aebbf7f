package io.flinkgpu.operator.window;

import org.apache.flink.annotation.Internal;

import java.io.Serializable;

/**
 * When windows fire. Travels in the job graph.
 *
 * @param millis of a running result how far apart its updates are, at least
 */
@Internal
public record WindowTrigger(Kind kind, long millis) implements Serializable {

    private static final long serialVersionUID = 1L;

    /** What makes windows fire. */
    public enum Kind {
        /** What the assigner's default trigger says. */
        ASSIGNER,
        /** The clock, for keys whose records are new; for the window of all time. */
        RUNNING
    }

    /** The assigner's default trigger. */
    public static WindowTrigger ofAssigner() {
        return new WindowTrigger(Kind.ASSIGNER, 0);
    }

    /** Results that are emitted again when they change. */
    public static WindowTrigger running(long millis) {
        return new WindowTrigger(Kind.RUNNING, millis);
    }

    /** How long groups may wait before they are sent to their keys' subtasks; 0 for any time. */
    public long maxHeldMillis() {
        return kind == Kind.RUNNING ? millis : 0;
    }
}
