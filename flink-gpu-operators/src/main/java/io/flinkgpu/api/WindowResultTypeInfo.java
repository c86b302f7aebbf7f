package io.flinkgpu.api;

import org.apache.flink.annotation.PublicEvolving;
import org.apache.flink.api.common.serialization.SerializerConfig;
import org.apache.flink.api.common.typeinfo.TypeInfoFactory;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializer;

import java.lang.reflect.Type;
import java.util.List;
import java.util.Map;

/**
 * Flink's type of {@link WindowResult}s: not a key, serialized without Kryo. That of some aggregates, which
 * a stream of results has, is written in the fewest bytes. That of any, which Flink finds by the class,
 * writes the names of a result's aggregates with each result; the two are different types for savepoints.
 */
@PublicEvolving
public final class WindowResultTypeInfo<K> extends AtomicTypeInfo<WindowResult<K>> {

    private static final long serialVersionUID = 1L;

    private final TypeInformation<K> keyType;

    /** Null if they are of any aggregates. */
    private final ResultSchema schema;

    /** The type of results of a key type and aggregates. */
    public WindowResultTypeInfo(TypeInformation<K> keyType, List<ValueSpec> specs) {
        this(Errors.present("keyType", keyType), new ResultSchema(specs));
    }

    /** The type of results of a key type and any aggregates. */
    public WindowResultTypeInfo(TypeInformation<K> keyType) {
        super(WindowResult.class, false, Errors.present("keyType", keyType));
        this.keyType = keyType;
        this.schema = null;
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
        TypeSerializer<K> key = keyType.createSerializer(config);
        return schema == null
                ? new DescribedResultSerializer<>(key)
                : new WindowResultSerializer<>(key, schema);
    }

    /**
     * Found by Flink through the annotation of {@link WindowResult}. Keys whose type Flink was not told, as by a class
     * without a {@link org.apache.flink.api.common.typeinfo.TypeHint}, are written by Kryo.
     */
    public static final class Factory<K> extends TypeInfoFactory<WindowResult<K>> {

        // Flink names the arguments as the class does.
        @SuppressWarnings("unchecked")
        @Override
        public TypeInformation<WindowResult<K>> createTypeInfo(
                Type type, Map<String, TypeInformation<?>> genericParameters) {
            TypeInformation<K> keyType = (TypeInformation<K>) genericParameters.get("K");
            // Flink's test harnesses ask for the type of a record by its class alone.
            return new WindowResultTypeInfo<>(
                    keyType == null
                            ? (TypeInformation<K>)
                                    (TypeInformation<?>) TypeInformation.of(Object.class)
                            : keyType);
        }
    }
}
