package io.flinkgpu.operator.window;

import org.apache.flink.api.java.functions.KeySelector;

import java.util.Objects;

/** The key in state of a record, or of a partial, which brings it. */
public final class WindowInputKeySelector<T, K, S> implements KeySelector<WindowInput<S, T>, S> {

    private static final long serialVersionUID = 1L;

    private final KeySelector<T, K> selector;
    private final StableKeys<K, S> keys;

    public WindowInputKeySelector(KeySelector<T, K> selector, StableKeys<K, S> keys) {
        this.selector = Objects.requireNonNull(selector, "selector");
        this.keys = Objects.requireNonNull(keys, "keys");
    }

    @Override
    public S getKey(WindowInput<S, T> input) throws Exception {
        return input.isRaw() ? keys.toStable(selector.getKey(input.record())) : input.key();
    }
}
