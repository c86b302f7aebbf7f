package io.flinkgpu.operator.search;

import io.flinkgpu.api.FreshSerializer;

import org.apache.flink.api.common.typeutils.SimpleTypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

import java.io.IOException;

/** Writes the id, whether there is a document, and the document. Stateless. */
final class DocumentChangeSerializer extends FreshSerializer<DocumentChange> {

    static final DocumentChangeSerializer INSTANCE = new DocumentChangeSerializer();

    private static final long serialVersionUID = 1L;

    private DocumentChangeSerializer() {}

    @Override
    public void serialize(DocumentChange change, DataOutputView target) throws IOException {
        target.writeLong(change.id());
        target.writeBoolean(!change.isDelete());
        if (!change.isDelete()) {
            PackedDocumentSerializer.write(change.packed(), change.packed().length, target);
        }
    }

    @Override
    public DocumentChange deserialize(DataInputView source) throws IOException {
        long id = source.readLong();
        return new DocumentChange(
                id, source.readBoolean() ? PackedDocumentSerializer.read(source) : null);
    }

    @Override
    public TypeSerializerSnapshot<DocumentChange> snapshotConfiguration() {
        return new Snapshot();
    }

    /** There is one format. Public for Flink, which makes it by its name. */
    public static final class Snapshot extends SimpleTypeSerializerSnapshot<DocumentChange> {

        public Snapshot() {
            super(() -> INSTANCE);
        }
    }
}
