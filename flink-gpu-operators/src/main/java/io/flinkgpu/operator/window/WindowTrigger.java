package io.flinkgpu.operator.window;

import io.flinkgpu.api.Aggregates;
import io.flinkgpu.api.BatchPolicy;
import io.flinkgpu.api.LongGetter;

import org.apache.flink.annotation.Internal;
import org.apache.flink.streaming.api.windowing.assigners.WindowAssigner;
import org.apache.flink.streaming.api.windowing.triggers.Trigger;

import java.io.Serializable;

/**
 * When windows fire. Travels in the job graph.
 *
 * @param every how far apart firings are: in milliseconds, or of a count window in records; 0 if the
 *     window's end makes it fire
 * @param purges whether a window is empty after it fired
 */
@Internal
public record WindowTrigger(Kind kind, long every, boolean purges) implements Serializable {

    private static final long serialVersionUID = 1L;

    /** What makes windows fire. */
    public enum Kind {
        /** The end of the window, as the assigner's default trigger says. */
        ASSIGNER,
        /** Nothing: Flink's default for the window of all time. */
        NEVER,
        /** The clock, for keys whose records are new; for the window of all time. */
        RUNNING,
        /** The number of records of a key; for the window of all time. */
        COUNT,
        /** The watermark, at multiples of a time and at the end of the window. */
        CONTINUOUS_EVENT_TIME,
        /** The clock, at multiples of a time, while the watermark has not closed the window. */
        CONTINUOUS_PROCESSING_TIME
    }

    /** The default trigger of an assigner, which may be that of {@code GlobalWindows.create()}. */
    public static WindowTrigger of(WindowAssigner<?, ?> assigner) {
        return new WindowTrigger(TriggerProbe.defaultOf(assigner), 0, false);
    }

    /**
     * One of Flink's triggers for windows of an assigner.
     *
     * @throws IllegalArgumentException if it is not accelerated for such windows, naming Flink's own
     *     operator as the way
     */
    public static WindowTrigger of(
            WindowAssigner<?, ?> assigner, WindowShape shape, Trigger<?, ?> trigger) {
        return TriggerProbe.of(assigner, shape, trigger);
    }

    /** Results that are emitted again when they change. */
    public static WindowTrigger running(long everyMillis) {
        return new WindowTrigger(Kind.RUNNING, everyMillis, false);
    }

    /**
     * Checks that windows fire, and that their state can be as is asked for.
     *
     * @throws IllegalArgumentException if not, naming Flink's own operator as the way
     */
    public WindowTrigger checked(boolean flinkState) {
        if (kind == Kind.NEVER) {
            throw AssignerProbe.refused(AssignerProbe.NEVER_FIRES);
        }
        if (flinkState && kind != Kind.ASSIGNER) {
            throw AssignerProbe.refused("flinkState(true) with a trigger of its own");
        }
        return this;
    }

    /** Whether records may be grouped before they come: what they are when a window fires is the same. */
    public boolean takesGroups() {
        return sent() == Sent.GROUPS;
    }

    /** The most that may be made of records before they come. */
    public Sent sent() {
        return switch (kind) {
            case ASSIGNER, RUNNING -> Sent.GROUPS;
            case COUNT -> Sent.ROWS;
            case NEVER, CONTINUOUS_EVENT_TIME, CONTINUOUS_PROCESSING_TIME -> Sent.RECORDS;
        };
    }

    /** Whether windows fire at multiples of a time. */
    public boolean isContinuous() {
        return kind == Kind.CONTINUOUS_EVENT_TIME || kind == Kind.CONTINUOUS_PROCESSING_TIME;
    }

    /** How long rows and groups may wait before they are sent to their keys' subtasks; 0 for any time. */
    public long maxHeldMillis(BatchPolicy policy) {
        return switch (kind) {
            case RUNNING -> every;
            case COUNT -> policy.maxDelay().toMillis();
            case ASSIGNER, NEVER, CONTINUOUS_EVENT_TIME, CONTINUOUS_PROCESSING_TIME -> 0;
        };
    }

    /**
     * What tables keep of a key: the aggregates, and after them what the trigger needs, which is state
     * like theirs. Of a count window it is the count of its records.
     */
    public <T> Aggregates<T> kept(Aggregates<T> aggregates) {
        if (takesGroups()) {
            return aggregates;
        }
        Aggregates<T> counted =
                aggregates.and((LongGetter<T>) record -> 0).named("(trigger)").count();
        return kind == Kind.COUNT ? counted : counted.min();
    }
}
