package io.flinkgpu.operator.lookup;

import io.flinkgpu.api.AtomicTypeInfo;

import org.apache.flink.annotation.Internal;
import org.apache.flink.api.common.serialization.SerializerConfig;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializer;

import java.util.Map;

/** Flink's type of {@link TableRequest}. */
@Internal
public final class TableRequestTypeInfo<Q> extends AtomicTypeInfo<TableRequest<Q>> {

    private static final long serialVersionUID = 1L;

    private final TypeInformation<Q> recordType;

    public TableRequestTypeInfo(TypeInformation<Q> recordType) {
        super(TableRequest.class, false, recordType);
        this.recordType = recordType;
    }

    @Override
    public Map<String, TypeInformation<?>> getGenericParameters() {
        return Map.of("Q", recordType);
    }

    @Override
    public TypeSerializer<TableRequest<Q>> createSerializer(SerializerConfig config) {
        return new TableRequestSerializer<>(recordType.createSerializer(config));
    }
}
