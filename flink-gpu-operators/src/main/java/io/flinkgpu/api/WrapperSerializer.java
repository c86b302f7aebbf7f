package io.flinkgpu.api;

import org.apache.flink.annotation.Internal;
import org.apache.flink.api.common.typeutils.CompositeTypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.TypeSerializer;

/**
 * A serializer of values that have one of the user's in them: they are immutable if that is, and copied by
 * copying it.
 *
 * @param <T> of the user's
 * @param <V> the values
 */
@Internal
public abstract class WrapperSerializer<T, V> extends FreshSerializer<V> {

    private static final long serialVersionUID = 1L;

    /** Of what is in the values. */
    protected final TypeSerializer<T> inner;

    protected WrapperSerializer(TypeSerializer<T> inner) {
        super(inner);
        this.inner = inner;
    }

    /**
     * @param parameter what else distinguishes serializers of one class, serializable
     */
    protected WrapperSerializer(TypeSerializer<T> inner, Object parameter) {
        super(inner, parameter);
        this.inner = inner;
    }

    /** The same with another serializer of what is in the values. */
    protected abstract WrapperSerializer<T, V> with(TypeSerializer<T> other);

    /** What is in a value; null if nothing is. */
    protected abstract T unwrap(V value);

    /** The same value with something else in it. */
    protected abstract V wrap(V value, T content);

    /** The serializers that a savepoint remembers; the first one is that of what is in the values. */
    protected TypeSerializer<?>[] nested() {
        return new TypeSerializer<?>[] {inner};
    }

    @Override
    public final boolean isImmutableType() {
        return inner.isImmutableType();
    }

    @Override
    public final TypeSerializer<V> duplicate() {
        TypeSerializer<T> duplicate = inner.duplicate();
        return duplicate == inner ? this : with(duplicate);
    }

    @Override
    public final V copy(V from) {
        T content = unwrap(from);
        return content == null || inner.isImmutableType() ? from : wrap(from, inner.copy(content));
    }

    /** What a savepoint remembers: {@link #nested}. Flink makes those of serializers by their names. */
    protected abstract static class Snapshot<T, V, S extends WrapperSerializer<T, V>>
            extends CompositeTypeSerializerSnapshot<V, S> {

        private static final int VERSION = 1;

        /** For Flink, which reads the rest. */
        protected Snapshot() {}

        protected Snapshot(S serializer) {
            super(serializer);
        }

        /** The serializer that this is of. */
        protected abstract S of(TypeSerializer<T> inner);

        @Override
        protected final int getCurrentOuterSnapshotVersion() {
            return VERSION;
        }

        @Override
        protected final TypeSerializer<?>[] getNestedSerializers(S serializer) {
            return serializer.nested();
        }

        // As nested() says.
        @SuppressWarnings("unchecked")
        @Override
        protected final S createOuterSerializerWithNestedSerializers(TypeSerializer<?>[] nested) {
            return of((TypeSerializer<T>) nested[0]);
        }
    }
}
