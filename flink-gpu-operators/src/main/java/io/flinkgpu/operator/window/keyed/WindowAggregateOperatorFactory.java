package io.flinkgpu.operator.window.keyed;

import io.flinkgpu.operator.window.WindowInput;
import io.flinkgpu.operator.window.WindowPlan;
import io.flinkgpu.operator.window.session.SessionOperator;
import io.flinkgpu.operator.window.slices.SlicedWindowOperator;

import org.apache.flink.annotation.Internal;
import org.apache.flink.streaming.api.operators.AbstractStreamOperatorFactory;
import org.apache.flink.streaming.api.operators.OneInputStreamOperatorFactory;
import org.apache.flink.streaming.api.operators.StreamOperator;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;

import java.util.Objects;

/** Makes window operators on the TaskManagers. Travels in the job graph. */
@Internal
public final class WindowAggregateOperatorFactory<T, K, S, R>
        extends AbstractStreamOperatorFactory<R>
        implements OneInputStreamOperatorFactory<WindowInput<S, T>, R> {

    private static final long serialVersionUID = 1L;

    /** Some tens of megabytes of partials. */
    private static final int MAX_SLICES = 1 << 16;

    private final WindowPlan<T, K, S, R> plan;
    private final int maxSlices;

    public WindowAggregateOperatorFactory(WindowPlan<T, K, S, R> plan) {
        this(plan, MAX_SLICES);
    }

    public WindowAggregateOperatorFactory(WindowPlan<T, K, S, R> plan, int maxSlices) {
        this.plan = Objects.requireNonNull(plan, "plan");
        this.maxSlices = maxSlices;
    }

    @Override
    @SuppressWarnings(
            "unchecked") // The framework asks for the type this factory was declared with.
    public <O extends StreamOperator<R>> O createStreamOperator(
            StreamOperatorParameters<R> parameters) {
        if (!plan.keepsTables()) {
            return (O) new WindowAggregateOperator<>(parameters, plan, maxSlices);
        }
        return plan.shape().isSession()
                ? (O) new SessionOperator<>(parameters, plan)
                : (O) new SlicedWindowOperator<>(parameters, plan);
    }

    @Override
    @SuppressWarnings("rawtypes") // As declared by Flink.
    public Class<? extends StreamOperator> getStreamOperatorClass(ClassLoader classLoader) {
        if (!plan.keepsTables()) {
            return WindowAggregateOperator.class;
        }
        return plan.shape().isSession() ? SessionOperator.class : SlicedWindowOperator.class;
    }
}
