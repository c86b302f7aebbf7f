package io.flinkgpu.operator.search;

import io.flinkgpu.api.FreshSerializer;

import org.apache.flink.api.common.typeutils.SimpleTypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

import java.io.IOException;

/** Writes the timestamp, the number and the change. Stateless. */
final class TimedChangeSerializer extends FreshSerializer<TimedChange> {

    static final TimedChangeSerializer INSTANCE = new TimedChangeSerializer();

    private static final long serialVersionUID = 1L;

    private TimedChangeSerializer() {}

    @Override
    public void serialize(TimedChange timed, DataOutputView target) throws IOException {
        target.writeLong(timed.timestamp());
        target.writeLong(timed.arrival());
        DocumentChangeSerializer.INSTANCE.serialize(timed.change(), target);
    }

    @Override
    public TimedChange deserialize(DataInputView source) throws IOException {
        return new TimedChange(
                source.readLong(),
                source.readLong(),
                DocumentChangeSerializer.INSTANCE.deserialize(source));
    }

    @Override
    public TypeSerializerSnapshot<TimedChange> snapshotConfiguration() {
        return new Snapshot();
    }

    /** There is one format. Public for Flink, which makes it by its name. */
    public static final class Snapshot extends SimpleTypeSerializerSnapshot<TimedChange> {

        public Snapshot() {
            super(() -> INSTANCE);
        }
    }
}
