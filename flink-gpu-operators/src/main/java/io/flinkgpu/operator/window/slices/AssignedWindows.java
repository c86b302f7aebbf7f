package io.flinkgpu.operator.window.slices;

import org.apache.flink.streaming.api.windowing.assigners.WindowAssigner;
import org.apache.flink.streaming.api.windowing.windows.TimeWindow;
import org.apache.flink.streaming.runtime.tasks.ProcessingTimeService;

import java.util.Collection;
import java.util.List;

/** Asks Flink's assigner for the windows of a record, where its slice does not say them. Task thread only. */
final class AssignedWindows<T> {

    private final WindowAssigner<Object, ?> assigner;
    private final Clock clock;

    AssignedWindows(WindowAssigner<Object, ?> assigner, ProcessingTimeService time) {
        this.assigner = assigner;
        this.clock = new Clock(time);
    }

    /** The windows of a record; not of the global assigner. */
    Collection<TimeWindow> of(T record, long timestamp) {
        return List.copyOf(assigner.assignWindows(record, timestamp, clock)).stream()
                .map(TimeWindow.class::cast)
                .toList();
    }

    /** Also for assigners that fix their stagger by it. */
    private static final class Clock extends WindowAssigner.WindowAssignerContext {

        private final ProcessingTimeService time;

        Clock(ProcessingTimeService time) {
            this.time = time;
        }

        @Override
        public long getCurrentProcessingTime() {
            return time.getCurrentProcessingTime();
        }
    }
}
