package io.flinkgpu.api;

import org.apache.flink.api.common.typeutils.SimpleTypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

import java.io.IOException;

/**
 * Writes a {@link LineRange} as its file name, int64 offset, length and file length, and a byte that
 * tells whether its last line is terminated. Stateless; ranges are immutable, so {@code copy} gives the
 * same object.
 */
public final class LineRangeSerializer extends TypeSerializer<LineRange> {

    private static final long serialVersionUID = 1L;

    /** The only instance needed. */
    public static final LineRangeSerializer INSTANCE = new LineRangeSerializer();

    private static final LineRange SOME = new LineRange("", 0, 1, 1);

    @Override
    public boolean isImmutableType() {
        return true;
    }

    @Override
    public TypeSerializer<LineRange> duplicate() {
        return this;
    }

    @Override
    public LineRange createInstance() {
        return SOME;
    }

    @Override
    public LineRange copy(LineRange from) {
        return from;
    }

    @Override
    public LineRange copy(LineRange from, LineRange reuse) {
        return from;
    }

    @Override
    public int getLength() {
        return -1;
    }

    @Override
    public void serialize(LineRange range, DataOutputView target) throws IOException {
        StringSerializer.INSTANCE.serialize(range.file(), target);
        target.writeLong(range.offsetBytes());
        target.writeLong(range.lengthBytes());
        target.writeLong(range.fileBytes());
        target.writeBoolean(range.terminatesLastLine());
    }

    @Override
    public LineRange deserialize(DataInputView source) throws IOException {
        return new LineRange(
                StringSerializer.INSTANCE.deserialize(source),
                source.readLong(),
                source.readLong(),
                source.readLong(),
                source.readBoolean());
    }

    @Override
    public LineRange deserialize(LineRange reuse, DataInputView source) throws IOException {
        return deserialize(source);
    }

    @Override
    public void copy(DataInputView source, DataOutputView target) throws IOException {
        serialize(deserialize(source), target);
    }

    @Override
    public TypeSerializerSnapshot<LineRange> snapshotConfiguration() {
        return new Snapshot();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof LineRangeSerializer;
    }

    @Override
    public int hashCode() {
        return LineRangeSerializer.class.hashCode();
    }

    /** What a savepoint remembers of this serializer: only its class. */
    public static final class Snapshot extends SimpleTypeSerializerSnapshot<LineRange> {

        public Snapshot() {
            super(() -> INSTANCE);
        }
    }
}
