package io.flinkgpu.api;

import org.apache.flink.annotation.Internal;
import org.apache.flink.api.common.typeutils.SimpleTypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

import java.io.IOException;

/**
 * Writes a {@link LineRange} as its file name, int64 offset, length and file length, and a byte that
 * says whether its last line is terminated. Stateless; ranges are immutable, so {@code copy} gives the
 * same object.
 */
@Internal
public final class LineRangeSerializer extends FreshSerializer<LineRange> {

    private static final long serialVersionUID = 1L;

    /** The only instance needed. */
    public static final LineRangeSerializer INSTANCE = new LineRangeSerializer();

    @Override
    public LineRange createInstance() {
        return new LineRange("", 0, 1, 1);
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
    public TypeSerializerSnapshot<LineRange> snapshotConfiguration() {
        return new Snapshot();
    }

    /** What a savepoint remembers of this serializer: only its class. */
    public static final class Snapshot extends SimpleTypeSerializerSnapshot<LineRange> {

        public Snapshot() {
            super(() -> INSTANCE);
        }
    }
}
