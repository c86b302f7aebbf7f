package io.flinkgpu.column;

import io.flinkgpu.api.LineChunk;

import java.util.function.IntPredicate;

/** A row a line. A last line without a {@code '\n'} has one in the column, and none in the output. */
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
    public LineChunk read(
            LineChunk original, TextView text, IntPredicate changed, int firstRow, int rows) {
        for (int row = firstRow; row < firstRow + rows; row++) {
            if (changed.test(row)) {
                int from = text.start(firstRow);
                int to = text.end(firstRow + rows - 1) + (isTerminated(original) ? 1 : 0);
                return original.withBytes(text.copy(from, to));
            }
        }
        return original;
    }

    private static boolean isTerminated(LineChunk chunk) {
        byte[] bytes = chunk.bytes();
        return bytes[bytes.length - 1] == '\n';
    }
}
