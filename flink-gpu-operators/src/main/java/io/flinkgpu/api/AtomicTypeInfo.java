package io.flinkgpu.api;

import org.apache.flink.annotation.PublicEvolving;
import org.apache.flink.api.common.typeinfo.TypeInformation;

import java.util.List;

/**
 * A type that Flink knows by its class and its serializer alone; it sees no fields. Two infos are equal
 * if they have one class and equal parameters.
 *
 * @param <T> the type
 */
@PublicEvolving
public abstract class AtomicTypeInfo<T> extends TypeInformation<T> {

    private static final long serialVersionUID = 1L;

    private final Class<T> type;
    private final boolean isKey;
    private final List<?> parameters;

    /**
     * @param type the class of {@code T}; its literal where {@code T} has type arguments
     * @param isKey whether values have {@code equals} and {@code hashCode} by content, the same in
     *     every process
     * @param parameters what distinguishes types of one class: types and schemas, serializable
     */
    // A class literal has no type arguments.
    @SuppressWarnings("unchecked")
    protected AtomicTypeInfo(Class<? super T> type, boolean isKey, Object... parameters) {
        this.type = (Class<T>) type;
        this.isKey = isKey;
        this.parameters = List.of(parameters);
    }

    @Override
    public final boolean isBasicType() {
        return false;
    }

    @Override
    public final boolean isTupleType() {
        return false;
    }

    @Override
    public final int getArity() {
        return 1;
    }

    @Override
    public final int getTotalFields() {
        return 1;
    }

    @Override
    public final Class<T> getTypeClass() {
        return type;
    }

    @Override
    public final boolean isKeyType() {
        return isKey;
    }

    @Override
    public final String toString() {
        return type.getSimpleName() + (parameters.isEmpty() ? "" : parameters);
    }

    @Override
    public final boolean equals(Object other) {
        return other != null
                && getClass() == other.getClass()
                && parameters.equals(((AtomicTypeInfo<?>) other).parameters);
    }

    @Override
    public final int hashCode() {
        return 31 * getClass().hashCode() + parameters.hashCode();
    }

    @Override
    public final boolean canEqual(Object other) {
        return other instanceof AtomicTypeInfo;
    }
}
