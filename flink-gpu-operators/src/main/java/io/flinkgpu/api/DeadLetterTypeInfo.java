package io.flinkgpu.api;

import org.apache.flink.annotation.PublicEvolving;
import org.apache.flink.api.common.serialization.SerializerConfig;
import org.apache.flink.api.common.typeinfo.TypeInfoFactory;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializer;

import java.lang.reflect.Type;
import java.util.Map;

/** Flink's type of {@link DeadLetter}: not a key; serialized as the record's type is. */
@PublicEvolving
public final class DeadLetterTypeInfo<T> extends AtomicTypeInfo<DeadLetter<T>> {

    private static final long serialVersionUID = 1L;

    private final TypeInformation<T> recordType;

    /** The type of dead letters of a record type. */
    public DeadLetterTypeInfo(TypeInformation<T> recordType) {
        super(DeadLetter.class, false, Errors.present("recordType", recordType));
        this.recordType = recordType;
    }

    @Override
    public Map<String, TypeInformation<?>> getGenericParameters() {
        return Map.of("T", recordType);
    }

    @Override
    public TypeSerializer<DeadLetter<T>> createSerializer(SerializerConfig config) {
        return new DeadLetterSerializer<>(recordType.createSerializer(config));
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
