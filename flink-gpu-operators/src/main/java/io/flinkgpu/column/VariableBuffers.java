package io.flinkgpu.column;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;

/** A column whose rows have different sizes, while it is filled: texts, byte strings or lists. */
sealed interface VariableBuffers extends AutoCloseable permits TextBuffers, ListBuffers {

    /** The bytes that a value which is not null takes of the room for data. */
    long bytesOf(RowValues values, int column);

    /** The memory that so many rows of so many bytes take from an allocator, at most. */
    long neededBytes(int rows, long dataBytes);

    /** Takes memory for so many rows and bytes; the caller closes this if it throws. */
    void allocate(BufferAllocator allocator, int rows, int dataBytes);

    long memoryBytes();

    /** Bytes of the rows so far. */
    int bytes();

    /** Whether so many more bytes fit. */
    boolean hasRoom(int moreBytes);

    /** Appends a value that is not null and has so many bytes as the next row. */
    void append(int row, RowValues values, int column, int rowBytes);

    /** Appends a row without a value. */
    void appendNull(int row);

    /** The first rows as a vector, which holds the memory as well. */
    FieldVector vector(String name, BufferAllocator allocator, int rows);

    @Override
    void close();
}
