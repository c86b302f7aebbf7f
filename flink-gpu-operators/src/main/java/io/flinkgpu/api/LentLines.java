package io.flinkgpu.api;

import org.apache.flink.annotation.PublicEvolving;

import java.io.IOException;
import java.io.OutputStream;

/**
 * Whole lines in memory that is lent to a {@link LineChunk} by the maker of this, until it is closed. The
 * receiver of the chunk reads it before that. For one thread.
 */
@PublicEvolving
public final class LentLines implements AutoCloseable {

    private final int lengthBytes;

    /** Null once the lines are nowhere any more. */
    private Memory memory;

    /** Null until somebody wants an array. */
    private byte[] copy;

    /**
     * @param lengthBytes of the lines
     * @param memory where they are; not read any more once this is closed
     */
    public LentLines(int lengthBytes, Memory memory) {
        this.lengthBytes = lengthBytes;
        this.memory = memory;
    }

    /** Takes the memory back. The chunk has its lines from then on only if somebody wanted an array. */
    @Override
    public void close() {
        if (copy == null) {
            memory = null;
        }
    }

    int lengthBytes() {
        return lengthBytes;
    }

    byte[] bytes(LineChunk chunk) {
        if (copy == null) {
            byte[] bytes = new byte[lengthBytes];
            memory(chunk).read(0, bytes, lengthBytes);
            memory = (from, target, length) -> System.arraycopy(bytes, from, target, 0, length);
            copy = bytes;
        }
        return copy;
    }

    /** Whether the last byte, which there is, ends a line. */
    boolean isTerminated(LineChunk chunk) {
        byte[] last = new byte[1];
        memory(chunk).read(lengthBytes - 1, last, 1);
        return last[0] == '\n';
    }

    void writeTo(OutputStream out, byte[] step, LineChunk chunk) throws IOException {
        Memory lines = memory(chunk);
        int length;
        for (int at = 0; at < lengthBytes; at += length) {
            length = Math.min(step.length, lengthBytes - at);
            lines.read(at, step, length);
            out.write(step, 0, length);
        }
    }

    private Memory memory(LineChunk chunk) {
        if (memory == null) {
            throw Errors.state(
                    "lent lines are read by the sink that they are given to, before it returns:"
                            + " chunk=%s; call bytes() there to keep them, or use redactLines",
                    chunk);
        }
        return memory;
    }

    /** Memory that is copied from. */
    @FunctionalInterface
    public interface Memory {

        /** Copies {@code lengthBytes}, which it has, from an offset to the beginning of an array. */
        void read(int fromBytes, byte[] target, int lengthBytes);
    }
}
