package io.flinkgpu.operator.window;

import io.flinkgpu.api.ValueSpec;
import io.flinkgpu.state.PartialTypeInfo;

import org.apache.flink.api.common.serialization.SerializerConfig;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializer;

import java.util.List;
import java.util.Objects;

/** The type of {@link WindowInput}s: not a key, serialized without Kryo of its own. */
public final class WindowInputTypeInfo<K, T> extends TypeInformation<WindowInput<K, T>> {

    private static final long serialVersionUID = 1L;

    private final TypeInformation<K> keyType;
    private final TypeInformation<T> recordType;
    private final PartialTypeInfo partialType;

    /**
     * @param specs the columns of the partials
     */
    public WindowInputTypeInfo(
            TypeInformation<K> keyType, TypeInformation<T> recordType, List<ValueSpec> specs) {
        this.keyType = Objects.requireNonNull(keyType, "keyType");
        this.recordType = Objects.requireNonNull(recordType, "recordType");
        this.partialType = new PartialTypeInfo(specs);
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

    @Override
    @SuppressWarnings({"unchecked", "rawtypes"}) // A class literal has no type arguments.
    public Class<WindowInput<K, T>> getTypeClass() {
        return (Class<WindowInput<K, T>>) (Class) WindowInput.class;
    }

    @Override
    public boolean isKeyType() {
        return false;
    }

    @Override
    public TypeSerializer<WindowInput<K, T>> createSerializer(SerializerConfig config) {
        return new WindowInputSerializer<>(
                keyType.createSerializer(config),
                recordType.createSerializer(config),
                partialType.createSerializer(config));
    }

    @Override
    public String toString() {
        return "WindowInput<" + keyType + ", " + recordType + ", " + partialType + ">";
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof WindowInputTypeInfo<?, ?> that
                && keyType.equals(that.keyType)
                && recordType.equals(that.recordType)
                && partialType.equals(that.partialType);
    }

    @Override
    public int hashCode() {
        return Objects.hash(keyType, recordType, partialType);
    }

    @Override
    public boolean canEqual(Object other) {
        return other instanceof WindowInputTypeInfo;
    }
}
