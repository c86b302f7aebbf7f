package io.flinkgpu.operator.window;

import io.flinkgpu.state.Partial;

import org.apache.flink.annotation.Internal;

import java.util.Objects;

/**
 * What is sent to the subtask of a key: a raw record, whose timestamp is that of the stream's record, or
 * the partial of the records that one subtask had of a key and a slice. It lives between two operators
 * only and is never in state.
 *
 * @param record null of a partial, and if the record is
 * @param key of a partial; null of a record
 * @param startMillis the first millisecond of a partial's slice
 * @param endMillis the first millisecond after it
 * @param partial null of a record; the receiver may merge into it
 * @param <K> the key
 * @param <T> the record
 */
@Internal
public record WindowInput<K, T>(
        T record, K key, long startMillis, long endMillis, Partial partial) {

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
     * @param end the first millisecond after it
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

    @Override
    public String toString() {
        return isRaw()
                ? "WindowInput[raw]"
                : "WindowInput[key=" + key + ", slice=[" + startMillis + ", " + endMillis + ")]";
    }
}
