package io.flinkgpu.operator.window;

import io.flinkgpu.api.AtomicTypeInfo;

import org.apache.flink.api.common.serialization.SerializerConfig;
import org.apache.flink.api.common.typeutils.TypeSerializer;

/** The type of {@link BytesKey}s. */
final class BytesKeyTypeInfo extends AtomicTypeInfo<BytesKey> {

    static final BytesKeyTypeInfo INSTANCE = new BytesKeyTypeInfo();

    private static final long serialVersionUID = 1L;

    private BytesKeyTypeInfo() {
        super(BytesKey.class, true);
    }

    @Override
    public TypeSerializer<BytesKey> createSerializer(SerializerConfig config) {
        return BytesKeySerializer.INSTANCE;
    }
}
