package io.flinkgpu.api;

import org.apache.flink.api.common.serialization.SerializerConfig;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializer;

import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Flink's type of {@link WindowResult}s of some aggregates: not a key, serialized without Kryo. */
public final class WindowResultTypeInfo<K> extends TypeInformation<WindowResult<K>> {

    private static final long serialVersionUID = 1L;

    private final TypeInformation<K> keyType;
    private final ResultSchema schema;

    public WindowResultTypeInfo(TypeInformation<K> keyType, List<ValueSpec> specs) {
        this.keyType = Objects.requireNonNull(keyType, "keyType");
        schema = new ResultSchema(specs);
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
    public Class<WindowResult<K>> getTypeClass() {
        return (Class<WindowResult<K>>) (Class<?>) WindowResult.class;
    }

    @Override
    public Map<String, TypeInformation<?>> getGenericParameters() {
        return Map.of("K", keyType);
    }

    @Override
    public boolean isKeyType() {
        return false;
    }

    @Override
    public TypeSerializer<WindowResult<K>> createSerializer(SerializerConfig config) {
        return new WindowResultSerializer<>(keyType.createSerializer(config), schema);
    }

    @Override
    public String toString() {
        return "WindowResult<" + keyType + ">" + schema;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof WindowResultTypeInfo<?> that
                && keyType.equals(that.keyType)
                && schema.equals(that.schema);
    }

    @Override
    public int hashCode() {
        return Objects.hash(keyType, schema);
    }

    @Override
    public boolean canEqual(Object other) {
        return other instanceof WindowResultTypeInfo;
    }
}
