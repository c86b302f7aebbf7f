package io.flinkgpu.operator.window;

import io.flinkgpu.state.Partial;

import java.util.Objects;

/**
 * What is sent to the subtask of a key: a raw record, whose timestamp is that of the stream's record, or
 * the partial of the records that one subtask had of a key and a slice. It lives between two operators
 * only and is never in state.
 *
 * @param <K> the key
 * @param <T> the record
 */
public final class WindowInput<K, T> {

    private final T record;
    private final K key;
    private final long startMillis;
    private final long endMillis;
    private final Partial partial;

    private WindowInput(T record, K key, long startMillis, long endMillis, Partial partial) {
        this.record = record;
        this.key = key;
        this.startMillis = startMillis;
        this.endMillis = endMillis;
        this.partial = partial;
    }

    /**
     * A record as it came.
     *
     * @param record may be null
     */
    public static <K, T> WindowInput<K, T> raw(T record) {
        return new WindowInput<>(record, null, 0, 0, null);
    }

    /**
     * Some records of a key and a slice.
     *
     * @param key not null
     * @param start the slice's first millisecond
     * @param end the first millisecond behind it
     * @param partial owned by the input from here on
     */
    public static <K, T> WindowInput<K, T> partial(K key, long start, long end, Partial partial) {
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(partial, "partial");
        return new WindowInput<>(null, key, start, end, partial);
    }

    /** Whether this is a record; if not, it is a partial. */
    public boolean isRaw() {
        return partial == null;
    }

    /** The record, or null of a partial. */
    public T record() {
        return record;
    }

    /** The key of a partial, or null of a record. */
    public K key() {
        return key;
    }

    /** The first millisecond of a partial's slice. */
    public long startMillis() {
        return startMillis;
    }

    /** The first millisecond behind a partial's slice. */
    public long endMillis() {
        return endMillis;
    }

    /** The partial, or null of a record. The receiver may merge into it. */
    public Partial partial() {
        return partial;
    }

    @Override
    public String toString() {
        return isRaw()
                ? "WindowInput[raw]"
                : "WindowInput[key=" + key + ", slice=[" + startMillis + ", " + endMillis + ")]";
    }
}
