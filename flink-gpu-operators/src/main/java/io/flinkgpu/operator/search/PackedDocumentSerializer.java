package io.flinkgpu.operator.search;

import io.flinkgpu.api.CountedBytes;
import io.flinkgpu.api.FreshSerializer;

import org.apache.flink.api.common.typeutils.SimpleTypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

import java.io.IOException;

/**
 * Writes the number of bytes of a {@link KeptDocument}'s document, 2 bytes, and these. The document's state changes
 * its array, so that this copies it for those who need it as it is. Stateless.
 */
final class PackedDocumentSerializer extends FreshSerializer<byte[]> {

    static final PackedDocumentSerializer INSTANCE = new PackedDocumentSerializer();

    private static final long serialVersionUID = 1L;
    private static final String WHAT = "a document";

    private PackedDocumentSerializer() {}

    @Override
    public void serialize(byte[] kept, DataOutputView target) throws IOException {
        write(kept, KeptDocument.length(kept), target);
    }

    /** Writes a document: the first so many bytes of an array. */
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
        int length = source.readUnsignedShort();
        byte[] kept = CountedBytes.read(WHAT, length, KeptDocument.spare(length), source);
        KeptDocument.end(kept, length);
        return kept;
    }

    /** Reads a document alone. */
    static byte[] read(DataInputView source) throws IOException {
        return CountedBytes.read(WHAT, source.readUnsignedShort(), source);
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
