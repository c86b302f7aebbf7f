package io.flinkgpu.backend.steps;

import io.flinkgpu.api.ColumnType;
import io.flinkgpu.backend.Backend;
import io.flinkgpu.backend.Submission;
import io.flinkgpu.column.TextView;
import io.flinkgpu.column.Vectors;
import io.flinkgpu.program.HashStep;
import io.flinkgpu.text.KeyedHash;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;
import org.apache.arrow.memory.util.MemoryUtil;
import org.apache.arrow.vector.FieldVector;

import java.util.Arrays;
import java.util.List;

/** Hashes a column on the host, where the key stays. */
final class HashStage implements Stage {

    private final Backend backend;
    private final int column;
    private final KeyedHash hash;
    private final byte[] digits = new byte[KeyedHash.HEX_DIGITS];
    private byte[] scratch = new byte[256];

    HashStage(Backend backend, HashStep step, byte[] hashKey) {
        this.backend = backend;
        this.column = step.column();
        this.hash = new KeyedHash(hashKey);
    }

    @Override
    public Submission<Long> submit(StepColumns columns) {
        return () -> {
            long startNanos = System.nanoTime();
            columns.append(hashed(columns));
            return backend.placement().isGpu() ? 0 : System.nanoTime() - startNanos;
        };
    }

    private FieldVector hashed(StepColumns columns) {
        FieldVector texts = columns.column(column);
        int rows = columns.rows();
        int nulls = texts.getNullCount();
        int separatorBytes = columns.separatorBytes();
        long bytes = (long) digits.length * (rows - nulls) + (long) separatorBytes * rows;
        if (bytes > Integer.MAX_VALUE) {
            throw new OutOfMemoryException(
                    "a column of a batch has at most 2147483647 bytes: bytes=" + bytes);
        }
        BufferAllocator allocator = backend.allocator();
        try (ArrowBuf validity = nulls == 0 ? null : copyOf(texts.getValidityBuffer(), rows);
                ArrowBuf offsets = allocator.buffer(Integer.BYTES * (rows + 1L));
                ArrowBuf data = allocator.buffer(Math.max(1, bytes))) {
            write(
                    texts,
                    columns.lend(List.of(column)).text(0),
                    offsets.memoryAddress(),
                    data.memoryAddress());
            return Vectors.of(
                    ColumnType.TEXT,
                    ColumnType.TEXT.toString(),
                    allocator,
                    rows,
                    nulls,
                    Arrays.asList(validity, offsets, data));
        }
    }

    private ArrowBuf copyOf(ArrowBuf validity, int rows) {
        int bytes = (rows + 7) >> 3;
        ArrowBuf copy = backend.allocator().buffer(bytes);
        copy.setBytes(0, validity, 0, bytes);
        return copy;
    }

    private void write(FieldVector texts, TextView text, long offsets, long data) {
        int written = 0;
        MemoryUtil.putInt(offsets, 0);
        for (int row = 0; row < text.rows(); row++) {
            if (!texts.isNull(row)) {
                int length = text.end(row) - text.start(row);
                if (scratch.length < length) {
                    scratch = new byte[Math.max(length, 2 * scratch.length)];
                }
                MemoryUtil.copyFromMemory(text.dataAddress() + text.start(row), scratch, 0, length);
                hash.write(scratch, 0, length, digits.length, digits, 0);
                MemoryUtil.copyToMemory(digits, 0, data + written, digits.length);
                written += digits.length;
            }
            if (text.separatorBytes() == 1) {
                MemoryUtil.putByte(data + written, (byte) '\n');
                written++;
            }
            MemoryUtil.putInt(offsets + (long) Integer.BYTES * (row + 1), written);
        }
    }

    @Override
    public void close() {}
}
