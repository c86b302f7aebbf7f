package io.flinkgpu.column;

import io.flinkgpu.api.LineChunk;

import org.apache.flink.annotation.Internal;

import java.util.Arrays;

/** A row a line. A last line without a {@code '\n'} has one in the column, and none in the output. */
@Internal
public final class LineChunkCodec implements BatchCodec<LineChunk> {

    private static final long serialVersionUID = 1L;

    @Override
    public int separatorBytes() {
        return 1;
    }

    @Override
    public boolean append(LineChunk chunk, BatchBuilder batch) {
        return batch.appendLines(chunk.bytes());
    }

    @Override
    public LineChunk read(LineChunk original, RecordRows rows) {
        byte[] lines = rows.bytes();
        return original.withBytes(
                original.isTerminated() ? lines : Arrays.copyOf(lines, lines.length - 1));
    }
}
