package io.flinkgpu.operator.search;

import io.flinkgpu.api.AtomicTypeInfo;

import org.apache.flink.annotation.Internal;
import org.apache.flink.api.common.serialization.SerializerConfig;
import org.apache.flink.api.common.typeutils.TypeSerializer;

/** Flink's type of {@link DocumentChange}. */
@Internal
public final class DocumentChangeTypeInfo extends AtomicTypeInfo<DocumentChange> {

    public static final DocumentChangeTypeInfo INSTANCE = new DocumentChangeTypeInfo();

    private static final long serialVersionUID = 1L;

    private DocumentChangeTypeInfo() {
        super(DocumentChange.class, false);
    }

    @Override
    public TypeSerializer<DocumentChange> createSerializer(SerializerConfig config) {
        return DocumentChangeSerializer.INSTANCE;
    }
}
