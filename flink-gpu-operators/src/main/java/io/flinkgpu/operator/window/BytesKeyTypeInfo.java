package io.flinkgpu.operator.window;

import org.apache.flink.api.common.serialization.SerializerConfig;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializer;

/** The type of {@link BytesKey}s. */
final class BytesKeyTypeInfo extends TypeInformation<BytesKey> {

    static final BytesKeyTypeInfo INSTANCE = new BytesKeyTypeInfo();

    private static final long serialVersionUID = 1L;

    private BytesKeyTypeInfo() {}

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
    public Class<BytesKey> getTypeClass() {
        return BytesKey.class;
    }

    @Override
    public boolean isKeyType() {
        return true;
    }

    @Override
    public TypeSerializer<BytesKey> createSerializer(SerializerConfig config) {
        return BytesKeySerializer.INSTANCE;
    }

    @Override
    public String toString() {
        return "BytesKey";
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof BytesKeyTypeInfo;
    }

    @Override
    public int hashCode() {
        return BytesKeyTypeInfo.class.hashCode();
    }

    @Override
    public boolean canEqual(Object other) {
        return other instanceof BytesKeyTypeInfo;
    }
}
