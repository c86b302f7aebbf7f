package io.flinkgpu.state;

import io.flinkgpu.api.FreshSerializer;

import org.apache.flink.annotation.Internal;
import org.apache.flink.api.common.typeutils.SimpleTypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

import java.io.IOException;

/** Writes the four numbers. Stateless. */
@Internal
public final class RunIdSerializer extends FreshSerializer<RunId> {

    public static final RunIdSerializer INSTANCE = new RunIdSerializer();

    private static final long serialVersionUID = 1L;

    private RunIdSerializer() {}

    @Override
    public void serialize(RunId id, DataOutputView target) throws IOException {
        target.writeLong(id.startMillis());
        target.writeLong(id.endMillis());
        target.writeInt(id.layer());
        target.writeInt(id.sequence());
    }

    @Override
    public RunId deserialize(DataInputView source) throws IOException {
        return new RunId(source.readLong(), source.readLong(), source.readInt(), source.readInt());
    }

    @Override
    public TypeSerializerSnapshot<RunId> snapshotConfiguration() {
        return new Snapshot();
    }

    /** There is one format. Public for Flink, which makes it by its name. */
    public static final class Snapshot extends SimpleTypeSerializerSnapshot<RunId> {

        public Snapshot() {
            super(() -> INSTANCE);
        }
    }
}
