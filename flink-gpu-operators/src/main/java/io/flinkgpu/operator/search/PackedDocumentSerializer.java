package io.flinkgpu.operator.search;

import io.flinkgpu.api.CountedBytes;
import io.flinkgpu.api.FreshSerializer;

import org.apache.flink.api.common.typeutils.SimpleTypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

import java.io.IOException;

/** Writes the number of bytes of a {@link PackedDocument}, 2 bytes, and the bytes. Stateless. */
final class PackedDocumentSerializer extends FreshSerializer<byte[]> {

    static final PackedDocumentSerializer INSTANCE = new PackedDocumentSerializer();

    private static final long serialVersionUID = 1L;

    private PackedDocumentSerializer() {}

    @Override
    public void serialize(byte[] packed, DataOutputView target) throws IOException {
        target.writeShort(packed.length);
        target.write(packed);
    }

    @Override
    public byte[] deserialize(DataInputView source) throws IOException {
        return CountedBytes.read("a document", source.readUnsignedShort(), source);
    }

    @Override
    public TypeSerializerSnapshot<byte[]> snapshotConfiguration() {
        return new Snapshot();
    }

    /** There is one format. Public for Flink, which makes it by its name. */
    public static final class Snapshot extends SimpleTypeSerializerSnapshot<byte[]> {

        public Snapshot() {
            super(() -> INSTANCE);
        }
    }
}
