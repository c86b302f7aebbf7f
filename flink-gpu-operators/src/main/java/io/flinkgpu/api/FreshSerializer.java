package io.flinkgpu.api;

import org.apache.flink.annotation.PublicEvolving;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

import java.io.IOException;
import java.util.List;

/**
 * A serializer that never fills an object it is given: what it reads is always new. Its defaults are
 * those of immutable values of no fixed length, which need neither a copy nor a duplicate of their
 * serializer; one with other values or with nested serializers overrides them. Two serializers are equal
 * if they have one class and equal parameters.
 *
 * @param <T> the type
 */
@PublicEvolving
public abstract class FreshSerializer<T> extends TypeSerializer<T> {

    private static final long serialVersionUID = 1L;

    private final List<?> parameters;

    /**
     * @param parameters what distinguishes serializers of one class, serializable
     */
    protected FreshSerializer(Object... parameters) {
        this.parameters = List.of(parameters);
    }

    @Override
    public boolean isImmutableType() {
        return true;
    }

    @Override
    public TypeSerializer<T> duplicate() {
        return this;
    }

    /** None, as it would not be filled. */
    @Override
    public T createInstance() {
        return null;
    }

    @Override
    public T copy(T from) {
        return from;
    }

    @Override
    public final T copy(T from, T reuse) {
        return copy(from);
    }

    @Override
    public final int getLength() {
        return -1;
    }

    @Override
    public final T deserialize(T reuse, DataInputView source) throws IOException {
        return deserialize(source);
    }

    @Override
    public void copy(DataInputView source, DataOutputView target) throws IOException {
        serialize(deserialize(source), target);
    }

    @Override
    public final boolean equals(Object other) {
        return other != null
                && getClass() == other.getClass()
                && parameters.equals(((FreshSerializer<?>) other).parameters);
    }

    @Override
    public final int hashCode() {
        return 31 * getClass().hashCode() + parameters.hashCode();
    }

    /** For Flink's message when a savepoint does not fit. */
    @Override
    public final String toString() {
        return getClass().getSimpleName() + parameters;
    }
}
