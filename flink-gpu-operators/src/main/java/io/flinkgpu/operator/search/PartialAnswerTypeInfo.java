package io.flinkgpu.operator.search;

import io.flinkgpu.api.AtomicTypeInfo;

import org.apache.flink.annotation.Internal;
import org.apache.flink.api.common.serialization.SerializerConfig;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializer;

import java.util.Map;

/** Flink's type of {@link PartialAnswer}. */
@Internal
public final class PartialAnswerTypeInfo<Q> extends AtomicTypeInfo<PartialAnswer<Q>> {

    private static final long serialVersionUID = 1L;

    private final TypeInformation<Q> recordType;

    public PartialAnswerTypeInfo(TypeInformation<Q> recordType) {
        super(PartialAnswer.class, false, recordType);
        this.recordType = recordType;
    }

    @Override
    public Map<String, TypeInformation<?>> getGenericParameters() {
        return Map.of("Q", recordType);
    }

    @Override
    public TypeSerializer<PartialAnswer<Q>> createSerializer(SerializerConfig config) {
        return new PartialAnswerSerializer<>(recordType.createSerializer(config));
    }
}
