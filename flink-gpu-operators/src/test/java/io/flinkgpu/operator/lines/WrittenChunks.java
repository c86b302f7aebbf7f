package io.flinkgpu.operator.lines;

import io.flinkgpu.api.LineChunk;
import io.flinkgpu.api.LineChunkSerializer;

import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.base.TypeSerializerSingleton;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/** Copies chunks by writing them, as a sink of files does at once, which makes it a sink for harnesses. */
final class WrittenChunks extends TypeSerializerSingleton<LineChunk> {

    private static final long serialVersionUID = 1L;

    private static final int STEP_BYTES = 7;

    @Override
    public boolean isImmutableType() {
        return false;
    }

    @Override
    public LineChunk createInstance() {
        return LineChunkSerializer.INSTANCE.createInstance();
    }

    @Override
    public LineChunk copy(LineChunk from) {
        ByteArrayOutputStream lines = new ByteArrayOutputStream();
        try {
            from.writeTo(lines, new byte[STEP_BYTES]);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return from.withBytes(lines.toByteArray());
    }

    @Override
    public LineChunk copy(LineChunk from, LineChunk reuse) {
        return copy(from);
    }

    @Override
    public int getLength() {
        return -1;
    }

    @Override
    public void serialize(LineChunk chunk, DataOutputView target) throws IOException {
        LineChunkSerializer.INSTANCE.serialize(chunk, target);
    }

    @Override
    public LineChunk deserialize(DataInputView source) throws IOException {
        return LineChunkSerializer.INSTANCE.deserialize(source);
    }

    @Override
    public LineChunk deserialize(LineChunk reuse, DataInputView source) throws IOException {
        return deserialize(source);
    }

    @Override
    public void copy(DataInputView source, DataOutputView target) throws IOException {
        LineChunkSerializer.INSTANCE.copy(source, target);
    }

    @Override
    public TypeSerializerSnapshot<LineChunk> snapshotConfiguration() {
        return LineChunkSerializer.INSTANCE.snapshotConfiguration();
    }
}
