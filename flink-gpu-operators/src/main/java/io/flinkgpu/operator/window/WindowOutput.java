package io.flinkgpu.operator.window;

import io.flinkgpu.api.AggregateValues;
import io.flinkgpu.api.ResultSchema;
import io.flinkgpu.api.ValueSpec;
import io.flinkgpu.api.WindowResult;
import io.flinkgpu.groups.GroupResults;
import io.flinkgpu.groups.GroupSource;
import io.flinkgpu.state.Partial;

import org.apache.flink.annotation.Internal;
import org.apache.flink.streaming.api.operators.Output;
import org.apache.flink.streaming.api.operators.TimestampedCollector;
import org.apache.flink.streaming.api.windowing.windows.TimeWindow;
import org.apache.flink.streaming.api.windowing.windows.Window;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

import java.util.List;
import java.util.function.Supplier;

/**
 * Emits what the plan's mapper makes of the contents of windows, with the last millisecond of the window
 * as timestamp, or without one if it is a running result. Task thread only.
 *
 * @param <K> the user's key
 * @param <S> the key in state
 * @param <R> what is emitted
 */
@Internal
public final class WindowOutput<K, S, R> {

    private final WindowPlan<?, K, S, R> plan;
    private final List<ValueSpec> specs;
    private final ResultSchema schema;
    private final GroupResults groupResults;
    private final boolean running;
    private final TimestampedCollector<R> collector;

    public WindowOutput(WindowPlan<?, K, S, R> plan, Output<StreamRecord<R>> output) {
        this.plan = plan;
        this.specs = plan.aggregates().specs();
        this.schema = new ResultSchema(specs);
        this.groupResults = new GroupResults(specs);
        this.running = plan.trigger().kind() == WindowTrigger.Kind.RUNNING;
        this.collector = new TimestampedCollector<>(output);
    }

    /**
     * Emits one result, or none if the mapper gives none.
     *
     * @throws ArithmeticException if a result does not fit its type, naming column, key and window
     * @throws IllegalStateException if the mapper throws, naming key and window
     */
    public void emit(S stateKey, Window window, Partial contents) {
        emit(stateKey, window, () -> contents.results(specs));
    }

    /** Emits the result of a group, likewise. */
    public void emit(S stateKey, Window window, GroupSource group) {
        emit(stateKey, window, () -> groupResults.of(group));
    }

    private void emit(S stateKey, Window window, Supplier<Object[]> contents) {
        boolean time = window instanceof TimeWindow;
        long start = time ? ((TimeWindow) window).getStart() : Long.MIN_VALUE;
        long end = time ? ((TimeWindow) window).getEnd() : Long.MAX_VALUE;
        K key = plan.keys().fromState(stateKey);
        AggregateValues values = new AggregateValues(schema, results(key, window, contents));
        R mapped = map(new WindowResult<>(key, start, end, values), window);
        if (mapped != null) {
            if (running) {
                collector.eraseTimestamp();
            } else {
                collector.setAbsoluteTimestamp(window.maxTimestamp());
            }
            collector.collect(mapped);
        }
    }

    private R map(WindowResult<K> result, Window window) {
        try {
            return plan.mapper().map(result);
        } catch (RuntimeException e) {
            throw new IllegalStateException(
                    "a mapper must not throw: error="
                            + plan.errors().thrown(e)
                            + ", key="
                            + plan.errors().shown(result.key())
                            + ", window="
                            + window
                            + plan.errors().remedy(),
                    plan.errors().cause(e));
        }
    }

    private Object[] results(K key, Window window, Supplier<Object[]> contents) {
        try {
            return contents.get();
        } catch (ArithmeticException e) {
            ArithmeticException named =
                    new ArithmeticException(
                            e.getMessage()
                                    + ", key="
                                    + plan.errors().shown(key)
                                    + ", window="
                                    + window
                                    + plan.errors().remedy());
            named.initCause(e);
            throw named;
        }
    }
}
