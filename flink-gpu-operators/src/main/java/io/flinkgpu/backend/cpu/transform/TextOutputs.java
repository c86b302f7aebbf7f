package io.flinkgpu.backend.cpu.transform;

import org.apache.arrow.memory.BufferAllocator;

/** Starts a text column with room for as much as the last one had. Not thread-safe. */
final class TextOutputs implements OutputColumn.Factory {

    private static final int LEAST_BYTES = 1024;

    private final Part[] parts;
    private final Registers registers;
    private final TextSearch search;
    private TextOutput last;
    private int lastRows;

    TextOutputs(Part[] parts, Registers registers, TextSearch search) {
        this.parts = parts;
        this.registers = registers;
        this.search = search;
    }

    @Override
    public OutputColumn open(BufferAllocator allocator, int rows, int separatorBytes) {
        long expectedBytes = expectedBytes(rows);
        last =
                new TextOutput(
                        parts, registers, search, allocator, rows, separatorBytes, expectedBytes);
        lastRows = rows;
        return last;
    }

    private long expectedBytes(int rows) {
        if (last == null || lastRows == 0) {
            return LEAST_BYTES;
        }
        // Never more than the last one: its rows may have been few and long.
        long bytes = Math.min(last.bytes(), last.bytes() * rows / lastRows);
        return Math.max(LEAST_BYTES, bytes + (bytes >> 3));
    }
}
