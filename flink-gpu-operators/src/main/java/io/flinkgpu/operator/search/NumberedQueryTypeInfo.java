package io.flinkgpu.operator.search;

import io.flinkgpu.api.AtomicTypeInfo;

import org.apache.flink.annotation.Internal;
import org.apache.flink.api.common.serialization.SerializerConfig;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializer;

import java.util.Map;

/** Flink's type of {@link NumberedQuery}. */
@Internal
public final class NumberedQueryTypeInfo<Q> extends AtomicTypeInfo<NumberedQuery<Q>> {

    private static final long serialVersionUID = 1L;

    private final TypeInformation<Q> recordType;

    public NumberedQueryTypeInfo(TypeInformation<Q> recordType) {
        super(NumberedQuery.class, false, recordType);
        this.recordType = recordType;
    }

    @Override
    public Map<String, TypeInformation<?>> getGenericParameters() {
        return Map.of("Q", recordType);
    }

    @Override
    public TypeSerializer<NumberedQuery<Q>> createSerializer(SerializerConfig config) {
        return new NumberedQuerySerializer<>(recordType.createSerializer(config));
    }
}
