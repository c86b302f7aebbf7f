package io.flinkgpu.operator.window;

import io.flinkgpu.state.Partial;

import org.apache.flink.api.common.functions.AggregateFunction;

/**
 * Adds partials to those in state. There is no empty accumulator: a window's first partial becomes its
 * state. One operator instance's, told before and asked behind each call of the state.
 */
final class MergePartials implements AggregateFunction<Partial, Partial, Partial> {

    private static final long serialVersionUID = 1L;

    private boolean givesAway;
    private boolean first;

    /** Before a partial is added: whether the state may keep that very object. */
    void expect(boolean givesAway) {
        this.givesAway = givesAway;
        first = false;
    }

    /** Behind it: whether it was the first of its window. */
    boolean wasFirst() {
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
