package io.flinkgpu.operator.window;

import io.flinkgpu.api.AtomicTypeInfo;
import io.flinkgpu.api.ValueSpec;
import io.flinkgpu.state.Partial;
import io.flinkgpu.state.PartialTypeInfo;

import org.apache.flink.annotation.Internal;
import org.apache.flink.api.common.serialization.SerializerConfig;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializer;

import java.util.List;

/** The type of {@link WindowInput}s: not a key, serialized without Kryo of its own. */
@Internal
public final class WindowInputTypeInfo<K, T> extends AtomicTypeInfo<WindowInput<K, T>> {

    private static final long serialVersionUID = 1L;

    private final TypeInformation<K> keyType;
    private final TypeInformation<T> recordType;
    private final TypeInformation<Partial> partialType;

    /**
     * @param specs the columns of the partials
     */
    public WindowInputTypeInfo(
            TypeInformation<K> keyType, TypeInformation<T> recordType, List<ValueSpec> specs) {
        this(keyType, recordType, new PartialTypeInfo(specs));
    }

    private WindowInputTypeInfo(
            TypeInformation<K> keyType,
            TypeInformation<T> recordType,
            TypeInformation<Partial> partialType) {
        super(WindowInput.class, false, keyType, recordType, partialType);
        this.keyType = keyType;
        this.recordType = recordType;
        this.partialType = partialType;
    }

    @Override
    public TypeSerializer<WindowInput<K, T>> createSerializer(SerializerConfig config) {
        return new WindowInputSerializer<>(
                keyType.createSerializer(config),
                recordType.createSerializer(config),
                partialType.createSerializer(config));
    }
}
