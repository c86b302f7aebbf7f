package io.flinkgpu.state;

import io.flinkgpu.api.CountedBytes;
import io.flinkgpu.api.FreshSerializer;

import org.apache.flink.annotation.Internal;
import org.apache.flink.api.common.typeutils.CompositeTypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.apache.flink.core.memory.DataOutputView;

import java.io.IOException;

/**
 * Writes the number of bytes and the bytes. A run whose partials keep more than this serializer's is
 * written anew, as after a restore by a job that needs less. Stateless.
 */
@Internal
public final class GroupRunSerializer extends FreshSerializer<GroupRun> {

    private static final long serialVersionUID = 1L;

    private final PartialSerializer format;

    public GroupRunSerializer(PartialSerializer format) {
        super(format);
        this.format = format;
    }

    @Override
    public void serialize(GroupRun run, DataOutputView target) throws IOException {
        byte[] bytes = run.format().equals(format) ? run.bytes() : rewritten(run);
        target.writeInt(bytes.length);
        target.write(bytes);
    }

    private byte[] rewritten(GroupRun run) throws IOException {
        DataInputDeserializer source = new DataInputDeserializer(run.bytes());
        DataOutputSerializer target = new DataOutputSerializer(run.bytes().length);
        while (source.available() > 0) {
            int length = PartialFormat.readLength(source);
            byte[] key = CountedBytes.read("a key", length, source);
            PartialFormat.writeLength(length, target);
            target.write(key);
            format.serialize(run.format().deserialize(source), target);
        }
        return target.getCopyOfBuffer();
    }

    @Override
    public GroupRun deserialize(DataInputView source) throws IOException {
        return new GroupRun(format, CountedBytes.read("a run of groups", source));
    }

    @Override
    public TypeSerializerSnapshot<GroupRun> snapshotConfiguration() {
        return new Snapshot(this);
    }

    /** Embeds what is kept of each column. Public for Flink, which makes it by its name. */
    public static final class Snapshot
            extends CompositeTypeSerializerSnapshot<GroupRun, GroupRunSerializer> {

        /** For Flink, which reads the rest. */
        public Snapshot() {}

        Snapshot(GroupRunSerializer serializer) {
            super(serializer);
        }

        @Override
        protected int getCurrentOuterSnapshotVersion() {
            return 1;
        }

        @Override
        protected TypeSerializer<?>[] getNestedSerializers(GroupRunSerializer serializer) {
            return new TypeSerializer<?>[] {serializer.format};
        }

        @Override
        protected GroupRunSerializer createOuterSerializerWithNestedSerializers(
                TypeSerializer<?>[] nested) {
            return new GroupRunSerializer((PartialSerializer) nested[0]);
        }
    }
}
