package io.flinkgpu.operator.lookup;

import io.flinkgpu.api.AtomicTypeInfo;

import org.apache.flink.annotation.Internal;
import org.apache.flink.api.common.serialization.SerializerConfig;
import org.apache.flink.api.common.typeutils.TypeSerializer;

/** Flink's type of {@link TableChange}. */
@Internal
public final class TableChangeTypeInfo extends AtomicTypeInfo<TableChange> {

    public static final TableChangeTypeInfo INSTANCE = new TableChangeTypeInfo();

    private static final long serialVersionUID = 1L;

    private TableChangeTypeInfo() {
        super(TableChange.class, false);
    }

    @Override
    public TypeSerializer<TableChange> createSerializer(SerializerConfig config) {
        return TableChangeSerializer.INSTANCE;
    }
}
