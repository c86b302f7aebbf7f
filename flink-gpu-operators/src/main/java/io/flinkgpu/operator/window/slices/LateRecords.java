package io.flinkgpu.operator.window.slices;

import io.flinkgpu.operator.window.TableMetrics;
import io.flinkgpu.operator.window.WindowInput;
import io.flinkgpu.operator.window.WindowPlan;

import org.apache.flink.streaming.api.operators.Output;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/** What becomes of records that are too late for all of their windows. Task thread only. */
final class LateRecords<T> {

    private final WindowPlan<T, ?, ?, ?> plan;
    private final TableMetrics metrics;
    private final Output<?> output;

    /**
     * @param output where late records go, if the plan has a tag for them
     */
    LateRecords(WindowPlan<T, ?, ?, ?> plan, TableMetrics metrics, Output<?> output) {
        this.plan = plan;
        this.metrics = metrics;
        this.output = output;
    }

    /** Emits or counts a record that no window has taken; one in a gap between windows is neither. */
    void refused(StreamRecord<? extends WindowInput<?, T>> element, long watermark) {
        if (element.getTimestamp() + plan.latenessMillis() > watermark) {
            return;
        }
        if (plan.lateTag() == null) {
            metrics.lateRecordDropped();
        } else {
            T record = element.getValue().record();
            output.collect(plan.lateTag(), new StreamRecord<>(record, element.getTimestamp()));
        }
    }
}
