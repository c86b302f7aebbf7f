package io.flinkgpu.operator;

import org.apache.flink.api.common.typeutils.SimpleTypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.api.common.typeutils.base.TypeSerializerSingleton;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

import java.io.IOException;

/** The serializer of a type whose objects change. */
public final class StringBuilderSerializer extends TypeSerializerSingleton<StringBuilder> {

    private static final long serialVersionUID = 1L;

    @Override
    public boolean isImmutableType() {
        return false;
    }

    @Override
    public StringBuilder createInstance() {
        return new StringBuilder();
    }

    @Override
    public StringBuilder copy(StringBuilder from) {
        return new StringBuilder(from);
    }

    @Override
    public StringBuilder copy(StringBuilder from, StringBuilder reuse) {
        return copy(from);
    }

    @Override
    public int getLength() {
        return -1;
    }

    @Override
    public void serialize(StringBuilder record, DataOutputView target) throws IOException {
        StringSerializer.INSTANCE.serialize(record.toString(), target);
    }

    @Override
    public StringBuilder deserialize(DataInputView source) throws IOException {
        return new StringBuilder(StringSerializer.INSTANCE.deserialize(source));
    }

    @Override
    public StringBuilder deserialize(StringBuilder reuse, DataInputView source) throws IOException {
        return deserialize(source);
    }

    @Override
    public void copy(DataInputView source, DataOutputView target) throws IOException {
        StringSerializer.INSTANCE.copy(source, target);
    }

    @Override
    public TypeSerializerSnapshot<StringBuilder> snapshotConfiguration() {
        return new Snapshot();
    }

    /** Only the class. */
    public static final class Snapshot extends SimpleTypeSerializerSnapshot<StringBuilder> {

        public Snapshot() {
            super(StringBuilderSerializer::new);
        }
    }
}
