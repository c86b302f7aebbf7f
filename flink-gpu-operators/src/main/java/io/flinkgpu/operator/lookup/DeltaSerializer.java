package io.flinkgpu.operator.lookup;

import io.flinkgpu.api.FreshSerializer;

import org.apache.flink.api.common.typeutils.SimpleTypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

import java.io.IOException;

/** Writes the timestamp and the vector. Stateless. */
final class DeltaSerializer extends FreshSerializer<Delta> {

    static final DeltaSerializer INSTANCE = new DeltaSerializer();

    private static final long serialVersionUID = 1L;

    private DeltaSerializer() {}

    @Override
    public void serialize(Delta delta, DataOutputView target) throws IOException {
        target.writeLong(delta.timestamp());
        TableChangeSerializer.writeVector(delta.vector(), target);
    }

    @Override
    public Delta deserialize(DataInputView source) throws IOException {
        return new Delta(source.readLong(), TableChangeSerializer.readVector(source));
    }

    @Override
    public TypeSerializerSnapshot<Delta> snapshotConfiguration() {
        return new Snapshot();
    }

    /** There is one format. Public for Flink, which makes it by its name. */
    public static final class Snapshot extends SimpleTypeSerializerSnapshot<Delta> {

        public Snapshot() {
            super(() -> INSTANCE);
        }
    }
}
