package io.flinkgpu.operator.window;

import io.flinkgpu.api.Errors;
import io.flinkgpu.operator.window.WindowTrigger.Kind;

import org.apache.flink.streaming.api.windowing.assigners.GlobalWindows;
import org.apache.flink.streaming.api.windowing.assigners.WindowAssigner;
import org.apache.flink.streaming.api.windowing.triggers.ContinuousEventTimeTrigger;
import org.apache.flink.streaming.api.windowing.triggers.ContinuousProcessingTimeTrigger;
import org.apache.flink.streaming.api.windowing.triggers.CountTrigger;
import org.apache.flink.streaming.api.windowing.triggers.PurgingTrigger;
import org.apache.flink.streaming.api.windowing.triggers.Trigger;

/** Finds out what one of Flink's triggers does. */
final class TriggerProbe {

    private TriggerProbe() {}

    static Kind defaultOf(WindowAssigner<?, ?> assigner) {
        return assigner.getDefaultTrigger().getClass() == GlobalWindows.NeverTrigger.class
                ? Kind.NEVER
                : Kind.ASSIGNER;
    }

    static WindowTrigger of(
            WindowAssigner<?, ?> assigner, WindowShape shape, Trigger<?, ?> trigger) {
        if (trigger.getClass() == assigner.getDefaultTrigger().getClass()) {
            return WindowTrigger.of(assigner);
        }
        boolean purges = trigger.getClass() == PurgingTrigger.class;
        Trigger<?, ?> nested =
                purges ? ((PurgingTrigger<?, ?>) trigger).getNestedTrigger() : trigger;
        if (nested.getClass() == CountTrigger.class && shape.isGlobal()) {
            // Flink's trigger compares after it has counted a record.
            long records = Math.max(1, ((CountTrigger<?>) nested).getMaxCount());
            return new WindowTrigger(Kind.COUNT, records, purges);
        }
        boolean early = shape.isGlobal() || shape.isEventTime() && !shape.isSession();
        if (nested.getClass() == ContinuousEventTimeTrigger.class && early) {
            long millis = ((ContinuousEventTimeTrigger<?>) nested).getInterval();
            return continuous(Kind.CONTINUOUS_EVENT_TIME, millis, purges);
        }
        if (nested.getClass() == ContinuousProcessingTimeTrigger.class && early) {
            long millis = ((ContinuousProcessingTimeTrigger<?>) nested).getInterval();
            return continuous(Kind.CONTINUOUS_PROCESSING_TIME, millis, purges);
        }
        throw AssignerProbe.refused(
                "the trigger "
                        + trigger.getClass().getName()
                        + (purges ? " with " + nested.getClass().getSimpleName() : "")
                        + " of "
                        + assigner.getClass().getSimpleName());
    }

    private static WindowTrigger continuous(Kind kind, long millis, boolean purges) {
        if (millis < 1) {
            throw Errors.argument(
                    "a trigger's interval must be at least a millisecond: interval=%s ms; give a"
                            + " longer one",
                    millis);
        }
        return new WindowTrigger(kind, millis, purges);
    }
}
