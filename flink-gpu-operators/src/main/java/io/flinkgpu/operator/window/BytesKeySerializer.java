package io.flinkgpu.operator.window;

import io.flinkgpu.api.CountedBytes;
import io.flinkgpu.api.FreshSerializer;

import org.apache.flink.api.common.typeutils.SimpleTypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

import java.io.IOException;

/** Writes the number of bytes, 4 bytes, and the bytes. */
final class BytesKeySerializer extends FreshSerializer<BytesKey> {

    static final BytesKeySerializer INSTANCE = new BytesKeySerializer();

    private static final long serialVersionUID = 1L;

    private BytesKeySerializer() {}

    @Override
    public BytesKey createInstance() {
        return BytesKey.of(new byte[0]);
    }

    @Override
    public void serialize(BytesKey key, DataOutputView target) throws IOException {
        target.writeInt(key.bytes().length);
        target.write(key.bytes());
    }

    @Override
    public BytesKey deserialize(DataInputView source) throws IOException {
        return BytesKey.of(CountedBytes.read("a key", source));
    }

    @Override
    public TypeSerializerSnapshot<BytesKey> snapshotConfiguration() {
        return new Snapshot();
    }

    /** There is one format. Public for Flink, which makes it by its name. */
    public static final class Snapshot extends SimpleTypeSerializerSnapshot<BytesKey> {

        public Snapshot() {
            super(() -> INSTANCE);
        }
    }
}
