package io.flinkgpu.operator.window;

import org.apache.flink.annotation.Internal;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.functions.KeySelector;
import org.apache.flink.api.java.typeutils.EnumTypeInfo;

import java.io.Serializable;
import java.util.Objects;
import java.util.function.Function;

/**
 * How keys are kept in state. A key must be equal to, and hash as, its like in another process: byte
 * arrays and enums are not and do not, so that Flink refuses them; their contents and their names do.
 * All other keys are kept as they are.
 *
 * @param <K> the user's key
 * @param <S> the key in state
 */
@Internal
public final class StateKeys<K, S> implements Serializable {

    private static final long serialVersionUID = 1L;

    private final TypeInformation<K> type;
    private final TypeInformation<S> stateType;
    private final Conversion<K, S> toState;
    private final Conversion<S, K> fromState;

    private StateKeys(
            TypeInformation<K> type,
            TypeInformation<S> stateType,
            Conversion<K, S> toState,
            Conversion<S, K> fromState) {
        this.type = Objects.requireNonNull(type, "type");
        this.stateType = stateType;
        this.toState = toState;
        this.fromState = fromState;
    }

    /** The way for a type of keys. */
    @SuppressWarnings("unchecked") // Each type information stands for the class that is cast to.
    public static <K> StateKeys<K, ?> of(TypeInformation<K> type) {
        if (type.equals(PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO)) {
            return new StateKeys<>(
                    type,
                    BytesKeyTypeInfo.INSTANCE,
                    key -> BytesKey.copyOf((byte[]) key),
                    key -> (K) key.bytes().clone());
        }
        if (type instanceof EnumTypeInfo<?>) {
            Class<?> enumClass = type.getTypeClass();
            return new StateKeys<>(
                    type,
                    Types.STRING,
                    key -> ((Enum<?>) key).name(),
                    name -> (K) constant(enumClass, name));
        }
        return unchanged(type);
    }

    /** Keys that are kept as they are. */
    public static <K> StateKeys<K, K> unchanged(TypeInformation<K> type) {
        return new StateKeys<>(type, type, key -> key, key -> key);
    }

    /** The type of the user's keys. */
    public TypeInformation<K> type() {
        return type;
    }

    /** The type of the keys in state. */
    public TypeInformation<S> stateType() {
        return stateType;
    }

    /** Gives the keys in state of the user's. */
    @SuppressWarnings("unchecked") // Keys that are kept as they are have one type.
    public <T> KeySelector<T, S> selector(KeySelector<T, K> selector) {
        return stateType == (Object) type
                ? (KeySelector<T, S>) selector
                : record -> toState(selector.getKey(record));
    }

    /** The user's key; its receiver may change it. */
    public K fromState(S key) {
        return fromState.apply(key);
    }

    private S toState(K key) {
        return key == null ? null : toState.apply(key);
    }

    private static Object constant(Class<?> enumClass, String name) {
        for (Object constant : enumClass.getEnumConstants()) {
            if (((Enum<?>) constant).name().equals(name)) {
                return constant;
            }
        }
        throw new IllegalStateException(
                "a key in state must be a constant of the enum: enum="
                        + enumClass.getName()
                        + ", name="
                        + name
                        + "; keep constants that older savepoints have");
    }

    private interface Conversion<A, B> extends Function<A, B>, Serializable {}
}
