package io.flinkgpu.column;

import io.flinkgpu.api.ColumnType;
import io.flinkgpu.api.Errors;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.util.CommonUtil;
import org.apache.arrow.memory.util.MemoryUtil;
import org.apache.arrow.vector.FieldVector;

import java.util.Arrays;
import java.util.List;

/**
 * A column of numbers, booleans or vectors while it is filled: as many bytes a row as its type has, or
 * a bit, and a bit for whether it has a value. Holds memory from {@link #allocate} to {@link #close}, and can then be used again.
 */
final class FixedBuffers implements AutoCloseable {

    private final ColumnType type;
    private final boolean isBits;
    private final boolean isWord;
    private final int rowBytes;
    private ArrowBuf validity;
    private ArrowBuf data;
    private int nulls;

    FixedBuffers(ColumnType type) {
        this.type = type;
        this.isBits = type == ColumnType.BOOLEAN;
        this.rowBytes = rowBytes(type);
        this.isWord = !isBits && type.element() == null && rowBytes == Long.BYTES;
    }

    /** What a row counts as: its bytes, 1 for a boolean. */
    static int rowBytes(ColumnType type) {
        return switch (type.kind()) {
            case LONG, DOUBLE, DECIMAL, TIMESTAMP -> Long.BYTES;
            case INT, FLOAT -> Integer.BYTES;
            case BOOLEAN -> 1;
            case VECTOR -> Math.multiplyExact(type.length(), rowBytes(type.element()));
            case TEXT, BYTES, LIST -> throw type.refusedBy("a column of rows of one size");
        };
    }

    /** The memory that so many rows take from an allocator, at most. */
    long neededBytes(int rows) {
        long dataBytes = isBits ? Bits.bytes(rows) : (long) rowBytes * rows;
        return CommonUtil.nextPowerOfTwo(Bits.bytes(rows)) + CommonUtil.nextPowerOfTwo(dataBytes);
    }

    /** Takes memory for so many rows; the caller closes this if it throws. */
    void allocate(BufferAllocator allocator, int rows) {
        validity = Bits.allSet(allocator, rows);
        data = isBits ? Bits.allSet(allocator, rows) : allocator.buffer((long) rowBytes * rows);
    }

    long memoryBytes() {
        return data == null ? 0 : validity.capacity() + data.capacity();
    }

    /** Sets the next row to a value of others. */
    void append(int row, RowValues values, int column) {
        if (values.isNull(column)) {
            putNull(row);
        } else if (type.kind() == ColumnType.Kind.VECTOR) {
            RowValues elements = values.list(column);
            int length = type.length();
            if (elements.columns() != length) {
                throw Errors.argument(
                        "a vector has as many elements as its type says: elements=%s, type=%s",
                        elements.columns(), type);
            }
            for (int i = 0; i < length; i++) {
                put((long) row * length + i, type.element(), elements.word(i));
            }
        } else {
            put(row, values.word(column));
        }
    }

    /** Sets the next row: an integer, the bits of a double, or 0 for false. */
    void put(int row, long word) {
        if (isWord) {
            MemoryUtil.putLong(data.memoryAddress() + (long) Long.BYTES * row, word);
        } else {
            put(row, type, word);
        }
    }

    private void put(long index, ColumnType of, long word) {
        long address = data.memoryAddress();
        switch (of.kind()) {
            case LONG, DOUBLE, DECIMAL, TIMESTAMP ->
                    MemoryUtil.putLong(address + Long.BYTES * index, word);
            case INT -> MemoryUtil.putInt(address + Integer.BYTES * index, (int) word);
            case FLOAT ->
                    MemoryUtil.putInt(
                            address + Integer.BYTES * index,
                            Float.floatToIntBits((float) Double.longBitsToDouble(word)));
            case BOOLEAN -> {
                if (word == 0) {
                    Bits.clear(data, (int) index);
                }
            }
            case TEXT, BYTES, LIST, VECTOR -> throw of.refusedBy("a word");
        }
    }

    /** Sets the next rows to the first numbers of an array, or to those whose bytes it has. */
    void copy(int row, Object source, int bytes) {
        long address = data.memoryAddress() + (long) rowBytes * row;
        if (source instanceof long[] longs) {
            for (int at = 0; at < bytes; at += Long.BYTES) {
                MemoryUtil.putLong(address + at, longs[at / Long.BYTES]);
            }
        } else if (source instanceof float[] floats) {
            for (int at = 0; at < bytes; at += Float.BYTES) {
                MemoryUtil.putInt(address + at, Float.floatToRawIntBits(floats[at / Float.BYTES]));
            }
        } else if (source instanceof int[] ints) {
            for (int at = 0; at < bytes; at += Integer.BYTES) {
                MemoryUtil.putInt(address + at, ints[at / Integer.BYTES]);
            }
        } else {
            MemoryUtil.copyToMemory((byte[]) source, 0, address, bytes);
        }
    }

    /** Leaves the next row without a value. */
    void putNull(int row) {
        if (type.kind() == ColumnType.Kind.VECTOR) {
            data.setZero((long) rowBytes * row, rowBytes);
        } else {
            put(row, 0);
        }
        Bits.clear(validity, row);
        nulls++;
    }

    /** The first rows as a vector, which holds the memory as well. */
    FieldVector vector(String name, BufferAllocator allocator, int rows) {
        if (type.kind() != ColumnType.Kind.VECTOR) {
            return Vectors.of(type, name, allocator, rows, nulls, List.of(validity, data));
        }
        int elements = Math.multiplyExact(rows, type.length());
        try (FieldVector inVectors =
                Vectors.of(
                        type.element(),
                        Vectors.ELEMENT,
                        allocator,
                        elements,
                        0,
                        Arrays.asList(null, data))) {
            return Vectors.of(type, name, allocator, rows, nulls, List.of(validity), inVectors);
        }
    }

    @Override
    public void close() {
        Bits.closeAll(validity, data);
        validity = null;
        data = null;
        nulls = 0;
    }
}
