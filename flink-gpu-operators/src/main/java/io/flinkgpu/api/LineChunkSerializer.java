package io.flinkgpu.api;

import org.apache.flink.annotation.Internal;
import org.apache.flink.api.common.typeutils.SimpleTypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

import java.io.IOException;

/**
 * Writes a {@link LineChunk} as its file name, int64 offset, int32 length, all bits of which are inverted for a record of
 * several lines, and bytes. Stateless; chunks
 * are immutable, so {@code copy} gives the same object.
 */
@Internal
public final class LineChunkSerializer extends FreshSerializer<LineChunk> {

    private static final long serialVersionUID = 1L;

    /** The only instance needed. */
    public static final LineChunkSerializer INSTANCE = new LineChunkSerializer();

    private static final int COPY_STEP_BYTES = 8192;

    @Override
    public LineChunk createInstance() {
        return new LineChunk("", 0, new byte[0]);
    }

    @Override
    public void serialize(LineChunk chunk, DataOutputView target) throws IOException {
        StringSerializer.INSTANCE.serialize(chunk.file(), target);
        target.writeLong(chunk.offsetBytes());
        int length = chunk.bytes().length;
        target.writeInt(chunk.isRecord() ? ~length : length);
        target.write(chunk.bytes());
    }

    @Override
    public LineChunk deserialize(DataInputView source) throws IOException {
        String file = StringSerializer.INSTANCE.deserialize(source);
        long offsetBytes = source.readLong();
        int length = source.readInt();
        boolean isRecord = length < 0;
        byte[] bytes = CountedBytes.read("a chunk", isRecord ? ~length : length, source);
        try {
            return isRecord
                    ? LineChunk.ofRecord(file, offsetBytes, bytes)
                    : new LineChunk(file, offsetBytes, bytes);
        } catch (RuntimeException e) {
            throw CountedBytes.corrupt("a chunk", "offsetBytes=" + offsetBytes, e);
        }
    }

    @Override
    public void copy(DataInputView source, DataOutputView target) throws IOException {
        StringSerializer.INSTANCE.copy(source, target);
        target.writeLong(source.readLong());
        int written = source.readInt();
        target.writeInt(written);
        int length = written < 0 ? ~written : written;
        byte[] step = new byte[Math.min(length, COPY_STEP_BYTES)];
        for (int done = 0; done < length; ) {
            int now = Math.min(step.length, length - done);
            source.readFully(step, 0, now);
            target.write(step, 0, now);
            done += now;
        }
    }

    @Override
    public TypeSerializerSnapshot<LineChunk> snapshotConfiguration() {
        return new Snapshot();
    }

    /** What a savepoint remembers of this serializer: only its class. */
    public static final class Snapshot extends SimpleTypeSerializerSnapshot<LineChunk> {

        public Snapshot() {
            super(() -> INSTANCE);
        }
    }
}
