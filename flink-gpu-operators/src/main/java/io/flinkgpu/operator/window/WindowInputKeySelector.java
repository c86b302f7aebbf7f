package io.flinkgpu.operator.window;

import org.apache.flink.annotation.Internal;
import org.apache.flink.api.java.functions.KeySelector;

import java.util.Objects;

/** The key of a record, or that of the first in a block, which brings it. */
@Internal
public final class WindowInputKeySelector<K, T> implements KeySelector<WindowInput<K, T>, K> {

    private static final long serialVersionUID = 1L;

    private final KeySelector<T, K> selector;

    public WindowInputKeySelector(KeySelector<T, K> selector) {
        this.selector = Objects.requireNonNull(selector, "selector");
    }

    @Override
    public K getKey(WindowInput<K, T> input) throws Exception {
        return input.isRaw() ? selector.getKey(input.record()) : input.key();
    }
}
