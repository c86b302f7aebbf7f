package io.flinkgpu.api;

import org.apache.flink.annotation.PublicEvolving;
import org.apache.flink.api.common.typeinfo.TypeInfo;

import java.util.Arrays;
import java.util.Objects;

/**
 * The results of one key and window. Immutable. Its Flink type is a {@link WindowResultTypeInfo}.
 *
 * @param <K> the key
 */
@TypeInfo(WindowResultTypeInfo.Factory.class)
@PublicEvolving
public final class WindowResult<K> {

    private final K key;
    private final long startMillis;
    private final long endMillis;
    private final AggregateValues values;

    /**
     * @param key not null
     * @param startMillis the window's first millisecond; {@code Long.MIN_VALUE} for the global window
     * @param endMillis the first millisecond after it; {@code Long.MAX_VALUE} for the global window
     */
    public WindowResult(K key, long startMillis, long endMillis, AggregateValues values) {
        this.key = Objects.requireNonNull(key, "key");
        this.startMillis = startMillis;
        this.endMillis = endMillis;
        this.values = Objects.requireNonNull(values, "values");
    }

    /** The key of the records. */
    public K key() {
        return key;
    }

    /** The first millisecond of the window. */
    public long startMillis() {
        return startMillis;
    }

    /** The first millisecond after the window. */
    public long endMillis() {
        return endMillis;
    }

    /** The aggregates, in the order in which they were asked for. */
    public AggregateValues values() {
        return values;
    }

    /** Keys that are arrays are compared by content. */
    @Override
    public boolean equals(Object other) {
        return other instanceof WindowResult<?> that
                && Objects.deepEquals(key, that.key)
                && startMillis == that.startMillis
                && endMillis == that.endMillis
                && values.equals(that.values);
    }

    @Override
    public int hashCode() {
        return Arrays.deepHashCode(new Object[] {key, startMillis, endMillis, values});
    }

    /**
     * Without key and values, which logs are not to have; for example {@code WindowResult[String, [0,
     * 60000), [min, mean]]}.
     */
    @Override
    public String toString() {
        return "WindowResult[%s, [%d, %d), %s]"
                .formatted(
                        key.getClass().getSimpleName(),
                        startMillis,
                        endMillis,
                        values.schema().names());
    }
}
