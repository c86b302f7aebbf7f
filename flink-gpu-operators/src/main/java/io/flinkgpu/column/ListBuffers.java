package io.flinkgpu.column;

import io.flinkgpu.api.ColumnType;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.util.CommonUtil;
import org.apache.arrow.memory.util.MemoryUtil;
import org.apache.arrow.vector.FieldVector;

import java.util.List;

/**
 * A column of lists while it is filled: where each list ends, and the elements of all as a column of
 * their own. An element counts as its bytes, a text as 4 more. Holds memory from {@link #allocate} to
 * {@link #close}, and can then be used again.
 */
final class ListBuffers implements VariableBuffers {

    private static final int OFFSET_BYTES = Integer.BYTES;

    private final ColumnType type;

    /** One of them holds the elements; the other is null. */
    private final TextBuffers texts;

    private final FixedBuffers numbers;

    /** What an element takes at least. */
    private final int elementBytes;

    private ArrowBuf validity;
    private ArrowBuf offsets;
    private int capacity;
    private int nulls;
    private int elements;
    private int bytes;

    ListBuffers(ColumnType type) {
        this.type = type;
        ColumnType element = type.element();
        boolean isText = TextBuffers.holds(element);
        texts = isText ? new TextBuffers(element) : null;
        numbers = isText ? null : new FixedBuffers(element);
        elementBytes = isText ? OFFSET_BYTES : FixedBuffers.rowBytes(element);
    }

    @Override
    public long bytesOf(RowValues values, int column) {
        RowValues list = values.list(column);
        if (list == null) {
            return values.textBytes(column);
        }
        long sum = (long) elementBytes * list.columns();
        for (int i = 0; texts != null && i < list.columns(); i++) {
            sum += list.isNull(i) ? 0 : list.textBytes(i);
        }
        return sum;
    }

    @Override
    public long neededBytes(int rows, long dataBytes) {
        int room = elementRoom(dataBytes);
        return CommonUtil.nextPowerOfTwo(Bits.bytes(rows))
                + CommonUtil.nextPowerOfTwo(OFFSET_BYTES * (rows + 1L))
                + (texts == null ? numbers.neededBytes(room) : texts.neededBytes(room, dataBytes));
    }

    @Override
    public void allocate(BufferAllocator allocator, int rows, int dataBytes) {
        capacity = dataBytes;
        validity = Bits.allSet(allocator, rows);
        offsets = allocator.buffer(OFFSET_BYTES * (rows + 1L));
        MemoryUtil.putInt(offsets.memoryAddress(), 0);
        if (texts == null) {
            numbers.allocate(allocator, elementRoom(dataBytes));
        } else {
            texts.allocate(allocator, elementRoom(dataBytes), dataBytes);
        }
    }

    private int elementRoom(long dataBytes) {
        return (int) Math.max(1, dataBytes / elementBytes);
    }

    @Override
    public long memoryBytes() {
        long inElements = texts == null ? numbers.memoryBytes() : texts.memoryBytes();
        return offsets == null ? 0 : validity.capacity() + offsets.capacity() + inElements;
    }

    @Override
    public int bytes() {
        return bytes;
    }

    @Override
    public boolean hasRoom(int moreBytes) {
        return bytes + (long) moreBytes <= capacity;
    }

    @Override
    public void append(int row, RowValues values, int column, int rowBytes) {
        RowValues list = values.list(column);
        if (list == null) {
            numbers.copy(elements, values.numbers(column), rowBytes);
            elements += rowBytes / elementBytes;
        }
        for (int i = 0; list != null && i < list.columns(); i++, elements++) {
            if (texts == null) {
                numbers.append(elements, list, i);
            } else if (list.isNull(i)) {
                texts.appendNull(elements);
            } else {
                texts.append(elements, list, i, list.textBytes(i));
            }
        }
        bytes += rowBytes;
        end(row);
    }

    @Override
    public void appendNull(int row) {
        Bits.clear(validity, row);
        nulls++;
        end(row);
    }

    private void end(int row) {
        MemoryUtil.putInt(offsets.memoryAddress() + (row + 1L) * OFFSET_BYTES, elements);
    }

    @Override
    public FieldVector vector(String name, BufferAllocator allocator, int rows) {
        try (FieldVector inLists =
                texts == null
                        ? numbers.vector(Vectors.ELEMENT, allocator, elements)
                        : texts.vector(Vectors.ELEMENT, allocator, elements)) {
            return Vectors.of(
                    type, name, allocator, rows, nulls, List.of(validity, offsets), inLists);
        }
    }

    @Override
    public void close() {
        Bits.closeAll(validity, offsets);
        validity = null;
        offsets = null;
        if (texts == null) {
            numbers.close();
        } else {
            texts.close();
        }
        nulls = 0;
        elements = 0;
        bytes = 0;
    }
}
