package io.flinkgpu.operator.lookup;

import io.flinkgpu.api.FreshSerializer;

import org.apache.flink.api.common.typeutils.SimpleTypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

import java.io.IOException;

/** Writes the timestamp, the number and the change. Stateless. */
final class TimedTableChangeSerializer extends FreshSerializer<TimedTableChange> {

    static final TimedTableChangeSerializer INSTANCE = new TimedTableChangeSerializer();

    private static final long serialVersionUID = 1L;

    private TimedTableChangeSerializer() {}

    @Override
    public void serialize(TimedTableChange timed, DataOutputView target) throws IOException {
        target.writeLong(timed.timestamp());
        target.writeLong(timed.arrival());
        TableChangeSerializer.INSTANCE.serialize(timed.change(), target);
    }

    @Override
    public TimedTableChange deserialize(DataInputView source) throws IOException {
        return new TimedTableChange(
                source.readLong(),
                source.readLong(),
                TableChangeSerializer.INSTANCE.deserialize(source));
    }

    @Override
    public TypeSerializerSnapshot<TimedTableChange> snapshotConfiguration() {
        return new Snapshot();
    }

    /** There is one format. Public for Flink, which makes it by its name. */
    public static final class Snapshot extends SimpleTypeSerializerSnapshot<TimedTableChange> {

        public Snapshot() {
            super(() -> INSTANCE);
        }
    }
}
