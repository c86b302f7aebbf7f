package io.flinkgpu.api.lookup;

import io.flinkgpu.api.AtomicTypeInfo;
import io.flinkgpu.api.Errors;

import org.apache.flink.annotation.PublicEvolving;
import org.apache.flink.api.common.serialization.SerializerConfig;
import org.apache.flink.api.common.typeinfo.TypeInfoFactory;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializer;

import java.lang.reflect.Type;
import java.util.Map;

/** Flink's type of {@link LookupResult}: not a key; serialized as the record's type is, without Kryo. */
@PublicEvolving
public final class LookupResultTypeInfo<Q> extends AtomicTypeInfo<LookupResult<Q>> {

    private static final long serialVersionUID = 1L;

    private final TypeInformation<Q> recordType;

    /**
     * @param recordType of the requests' records
     */
    public LookupResultTypeInfo(TypeInformation<Q> recordType) {
        super(LookupResult.class, false, Errors.present("recordType", recordType));
        this.recordType = recordType;
    }

    @Override
    public Map<String, TypeInformation<?>> getGenericParameters() {
        return Map.of("Q", recordType);
    }

    @Override
    public TypeSerializer<LookupResult<Q>> createSerializer(SerializerConfig config) {
        return new LookupResultSerializer<>(recordType.createSerializer(config));
    }

    /** Found by Flink through the annotation of {@link LookupResult}. */
    public static final class Factory<Q> extends TypeInfoFactory<LookupResult<Q>> {

        // Flink names the arguments as the record does.
        @SuppressWarnings("unchecked")
        @Override
        public TypeInformation<LookupResult<Q>> createTypeInfo(
                Type type, Map<String, TypeInformation<?>> genericParameters) {
            return new LookupResultTypeInfo<>((TypeInformation<Q>) genericParameters.get("Q"));
        }
    }
}
