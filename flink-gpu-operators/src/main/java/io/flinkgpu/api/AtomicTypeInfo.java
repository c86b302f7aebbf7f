package io.flinkgpu.api;

import org.apache.flink.api.common.typeinfo.TypeInformation;

/**
 * A type that Flink knows by its class and its serializer alone; it sees no fields. All infos of one
 * class are equal.
 *
 * @param <T> the type
 */
public abstract class AtomicTypeInfo<T> extends TypeInformation<T> {

    private static final long serialVersionUID = 1L;

    private final Class<T> type;
    private final boolean isKey;

    /**
     * @param isKey whether values have {@code equals} and {@code hashCode} by content, the same in
     *     every process
     */
    protected AtomicTypeInfo(Class<T> type, boolean isKey) {
        this.type = type;
        this.isKey = isKey;
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
        return type.getSimpleName();
    }

    @Override
    public final boolean equals(Object other) {
        return other != null && getClass() == other.getClass();
    }

    @Override
    public final int hashCode() {
        return getClass().hashCode();
    }

    @Override
    public final boolean canEqual(Object other) {
        return other instanceof AtomicTypeInfo;
    }
}
