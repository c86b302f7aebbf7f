package io.flinkgpu.operator.window;

import io.flinkgpu.state.Partial;

import org.apache.flink.annotation.Internal;
import org.apache.flink.api.common.functions.AggregateFunction;

/**
 * Adds partials to those in state. There is no empty accumulator: a window's first partial becomes its
 * state. Belongs to one operator instance, which calls {@link #expect} before each call of the state
 * and {@link #wasFirst} after it.
 */
@Internal
public final class MergePartials implements AggregateFunction<Partial, Partial, Partial> {

    private static final long serialVersionUID = 1L;

    private boolean givesAway;
    private boolean first;

    /**
     * @param givesAway whether the state may keep the very object that is added next
     */
    public void expect(boolean givesAway) {
        this.givesAway = givesAway;
        first = false;
    }

    /** Whether the partial added last was the first of its window. */
    public boolean wasFirst() {
        return first;
    }

    @Override
    public Partial createAccumulator() {
        return null;
    }

    @Override
    public Partial add(Partial partial, Partial inState) {
        if (inState == null) {
            first = true;
            return givesAway ? partial : partial.copy();
        }
        inState.merge(partial);
        return inState;
    }

    @Override
    public Partial getResult(Partial inState) {
        return inState;
    }

    @Override
    public Partial merge(Partial a, Partial b) {
        a.merge(b);
        return a;
    }
}
