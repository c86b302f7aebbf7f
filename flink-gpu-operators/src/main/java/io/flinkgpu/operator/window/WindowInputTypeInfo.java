package io.flinkgpu.operator.window;

import io.flinkgpu.api.AtomicTypeInfo;

import org.apache.flink.annotation.Internal;
import org.apache.flink.api.common.serialization.SerializerConfig;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializer;

/** The type of {@link WindowInput}s: not a key, serialized without Kryo of its own. */
@Internal
public final class WindowInputTypeInfo<K, T> extends AtomicTypeInfo<WindowInput<K, T>> {

    private static final long serialVersionUID = 1L;

    private final TypeInformation<K> keyType;
    private final TypeInformation<T> recordType;

    public WindowInputTypeInfo(TypeInformation<K> keyType, TypeInformation<T> recordType) {
        super(WindowInput.class, false, keyType, recordType);
        this.keyType = keyType;
        this.recordType = recordType;
    }

    @Override
    public TypeSerializer<WindowInput<K, T>> createSerializer(SerializerConfig config) {
        return new WindowInputSerializer<>(
                keyType.createSerializer(config), recordType.createSerializer(config));
    }
}
