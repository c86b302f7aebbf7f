package io.flinkgpu.api;

/**
 * The results of one key and window. Immutable.
 *
 * @param <K> the key
 */
public final class WindowResult<K> {

    private final K key;
    private final long startMillis;
    private final long endMillis;
    private final AggregateValues values;

    /**
     * @param startMillis the window's first millisecond; {@code Long.MIN_VALUE} for the global window
     * @param endMillis the first millisecond behind it; {@code Long.MAX_VALUE} for the global window
     */
    public WindowResult(K key, long startMillis, long endMillis, AggregateValues values) {
        this.key = key;
        this.startMillis = startMillis;
        this.endMillis = endMillis;
        this.values = values;
    }

    public K key() {
        return key;
    }

    public long startMillis() {
        return startMillis;
    }

    public long endMillis() {
        return endMillis;
    }

    public AggregateValues values() {
        return values;
    }
}
