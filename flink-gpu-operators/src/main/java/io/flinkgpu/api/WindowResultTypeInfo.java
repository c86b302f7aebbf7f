package io.flinkgpu.api;

import org.apache.flink.annotation.PublicEvolving;
import org.apache.flink.api.common.serialization.SerializerConfig;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializer;

import java.util.List;
import java.util.Map;

/** Flink's type of {@link WindowResult}s of some aggregates: not a key, serialized without Kryo. */
@PublicEvolving
public final class WindowResultTypeInfo<K> extends AtomicTypeInfo<WindowResult<K>> {

    private static final long serialVersionUID = 1L;

    private final TypeInformation<K> keyType;
    private final ResultSchema schema;

    /** The type of results of a key type and aggregates. */
    public WindowResultTypeInfo(TypeInformation<K> keyType, List<ValueSpec> specs) {
        this(keyType, new ResultSchema(specs));
    }

    private WindowResultTypeInfo(TypeInformation<K> keyType, ResultSchema schema) {
        super(WindowResult.class, false, keyType, schema);
        this.keyType = keyType;
        this.schema = schema;
    }

    @Override
    public Map<String, TypeInformation<?>> getGenericParameters() {
        return Map.of("K", keyType);
    }

    @Override
    public TypeSerializer<WindowResult<K>> createSerializer(SerializerConfig config) {
        return new WindowResultSerializer<>(keyType.createSerializer(config), schema);
    }
}
