package io.flinkgpu.api;

import org.apache.flink.api.common.serialization.SerializerConfig;
import org.apache.flink.api.common.typeinfo.TypeInfoFactory;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializer;

import java.lang.reflect.Type;
import java.util.Map;
import java.util.Objects;

/** Flink's type of {@link DeadLetter}: not a key; serialized as the record's type is. */
public final class DeadLetterTypeInfo<T> extends TypeInformation<DeadLetter<T>> {

    private static final long serialVersionUID = 1L;

    private final TypeInformation<T> recordType;

    public DeadLetterTypeInfo(TypeInformation<T> recordType) {
        this.recordType = Objects.requireNonNull(recordType, "recordType");
    }

    @Override
    public boolean isBasicType() {
        return false;
    }

    @Override
    public boolean isTupleType() {
        return false;
    }

    @Override
    public int getArity() {
        return 1;
    }

    @Override
    public int getTotalFields() {
        return 1;
    }

    // A class literal has no type arguments.
    @SuppressWarnings("unchecked")
    @Override
    public Class<DeadLetter<T>> getTypeClass() {
        return (Class<DeadLetter<T>>) (Class<?>) DeadLetter.class;
    }

    @Override
    public Map<String, TypeInformation<?>> getGenericParameters() {
        return Map.of("T", recordType);
    }

    @Override
    public boolean isKeyType() {
        return false;
    }

    @Override
    public TypeSerializer<DeadLetter<T>> createSerializer(SerializerConfig config) {
        return new DeadLetterSerializer<>(recordType.createSerializer(config));
    }

    @Override
    public String toString() {
        return "DeadLetter<" + recordType + ">";
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof DeadLetterTypeInfo<?> that && recordType.equals(that.recordType);
    }

    @Override
    public int hashCode() {
        return Objects.hash(recordType);
    }

    @Override
    public boolean canEqual(Object other) {
        return other instanceof DeadLetterTypeInfo;
    }

    /** Found by Flink through the annotation of {@link DeadLetter}. */
    public static final class Factory<T> extends TypeInfoFactory<DeadLetter<T>> {

        // Flink names the arguments as the record does.
        @SuppressWarnings("unchecked")
        @Override
        public TypeInformation<DeadLetter<T>> createTypeInfo(
                Type type, Map<String, TypeInformation<?>> genericParameters) {
            return new DeadLetterTypeInfo<>((TypeInformation<T>) genericParameters.get("T"));
        }
    }
}
