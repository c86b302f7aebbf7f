package io.flinkgpu.operator.search;

import io.flinkgpu.api.CountedBytes;
import io.flinkgpu.api.FreshSerializer;

import org.apache.flink.api.common.typeutils.SimpleTypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

import java.io.IOException;

/**
 * Writes the number of bytes of a {@link PackedDocument}, 2 bytes, and the bytes. The document's state changes
 * its array, so that this copies it for those who need it as it is. Stateless.
 */
final class PackedDocumentSerializer extends FreshSerializer<byte[]> {

    static final PackedDocumentSerializer INSTANCE = new PackedDocumentSerializer();

    private static final long serialVersionUID = 1L;

    private PackedDocumentSerializer() {}

    @Override
    public void serialize(byte[] packed, DataOutputView target) throws IOException {
        write(packed, PackedDocument.length(packed), target);
    }

    /**
     * Writes a document.
     *
     * @param length of its bytes
     */
    static void write(byte[] packed, int length, DataOutputView target) throws IOException {
        target.writeShort(length);
        target.write(packed, 0, length);
    }

    @Override
    public boolean isImmutableType() {
        return false;
    }

    @Override
    public byte[] copy(byte[] from) {
        return from.clone();
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
