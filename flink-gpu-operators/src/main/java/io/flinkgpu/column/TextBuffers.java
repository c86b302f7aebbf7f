package io.flinkgpu.column;

import io.flinkgpu.api.ColumnType;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.util.CommonUtil;
import org.apache.arrow.memory.util.MemoryUtil;
import org.apache.arrow.vector.FieldVector;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.List;

/**
 * A column of texts or byte strings while it is filled. Holds memory from {@link #allocate} to {@link #close}, and can
 * then be used again.
 */
final class TextBuffers implements VariableBuffers {

    private static final int OFFSET_BYTES = Integer.BYTES;

    /** Up to it a loop over words takes less time than the JDK's copy needs to start. */
    private static final int SHORT_BYTES = 48;

    private static final VarHandle WORDS =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());

    private final ColumnType type;
    private ArrowBuf validity;
    private ArrowBuf offsets;
    private ArrowBuf data;
    private int nulls;
    private int bytes;

    TextBuffers(ColumnType type) {
        this.type = type;
    }

    /** Whether columns of a type are of this kind. */
    static boolean holds(ColumnType type) {
        return type == ColumnType.TEXT || type == ColumnType.BYTES;
    }

    @Override
    public long bytesOf(RowValues values, int column) {
        return values.textBytes(column);
    }

    @Override
    public long neededBytes(int rows, long dataBytes) {
        return fullBytes(rows, dataBytes);
    }

    /** The memory that so many rows of so many bytes take from an allocator, at most. */
    static long fullBytes(int rows, long dataBytes) {
        return CommonUtil.nextPowerOfTwo(Bits.bytes(rows))
                + CommonUtil.nextPowerOfTwo(OFFSET_BYTES * (rows + 1L))
                + CommonUtil.nextPowerOfTwo(dataBytes);
    }

    @Override
    public void allocate(BufferAllocator allocator, int rows, int dataBytes) {
        validity = Bits.allSet(allocator, rows);
        offsets = allocator.buffer(OFFSET_BYTES * (rows + 1L));
        data = allocator.buffer(dataBytes);
        MemoryUtil.putInt(offsets.memoryAddress(), 0);
    }

    /** How many rows there is room for. */
    int rowCapacity() {
        long rows =
                Math.min(offsets.capacity() / OFFSET_BYTES - 1, validity.capacity() * Byte.SIZE);
        return (int) Math.min(rows, Integer.MAX_VALUE);
    }

    /** Makes room for so many rows while there are none; the caller closes this if it throws. */
    void growRows(BufferAllocator allocator, int rows) {
        Bits.closeAll(validity, offsets);
        validity = null;
        offsets = null;
        validity = Bits.allSet(allocator, rows);
        offsets = allocator.buffer(OFFSET_BYTES * (rows + 1L));
        MemoryUtil.putInt(offsets.memoryAddress(), 0);
    }

    @Override
    public long memoryBytes() {
        return data == null ? 0 : validity.capacity() + offsets.capacity() + data.capacity();
    }

    @Override
    public int bytes() {
        return bytes;
    }

    @Override
    public boolean hasRoom(int moreBytes) {
        return bytes + (long) moreBytes <= data.capacity();
    }

    /** Where the next byte goes. */
    long endAddress() {
        return data.memoryAddress() + bytes;
    }

    /** Where the offset of a row goes: the end of the row before it. */
    long offsetAddress(int row) {
        return offsets.memoryAddress() + (long) OFFSET_BYTES * row;
    }

    /** Says that rows up to this one were written, which have so many bytes more. */
    void added(int endRow, int moreBytes) {
        bytes += moreBytes;
        MemoryUtil.putInt(offsetAddress(endRow), bytes);
    }

    /** Appends {@code source[from, to)} as the next row. */
    void append(int row, byte[] source, int from, int to) {
        int length = to - from;
        int words = (length + Long.BYTES - 1) & -Long.BYTES;
        if (length <= SHORT_BYTES && from + words <= source.length && hasRoom(words)) {
            // What is written behind the row is overwritten by the next one.
            long address = endAddress();
            for (int i = 0; i < words; i += Long.BYTES) {
                MemoryUtil.putLong(address + i, (long) WORDS.get(source, from + i));
            }
        } else {
            MemoryUtil.copyToMemory(source, from, endAddress(), length);
        }
        added(row + 1, length);
    }

    @Override
    public void append(int row, RowValues values, int column, int rowBytes) {
        int start = values.textStart(column);
        append(row, values.text(column), start, start + rowBytes);
    }

    @Override
    public void appendNull(int row) {
        added(row + 1, 0);
        setNull(row);
    }

    /** Marks a row that was appended as one without a value. */
    void setNull(int row) {
        Bits.clear(validity, row);
        nulls++;
    }

    @Override
    public FieldVector vector(String name, BufferAllocator allocator, int rows) {
        return Vectors.of(type, name, allocator, rows, nulls, List.of(validity, offsets, data));
    }

    @Override
    public void close() {
        Bits.closeAll(validity, offsets, data);
        validity = null;
        offsets = null;
        data = null;
        nulls = 0;
        bytes = 0;
    }
}
