package io.flinkgpu.backend.cpu.lines.group;

import io.flinkgpu.backend.plan.UngroupedLines;

import org.apache.flink.annotation.Internal;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.util.MemoryUtil;

/**
 * Writes the lines of a batch that are not grouped. Off-heap; what a batch needed is expected of the next
 * one. Not thread-safe.
 */
@Internal
public final class UngroupedWriter implements AutoCloseable {

    private final BufferAllocator allocator;
    private final UngroupedLines.Layout layout;
    private final int strideBytes;
    private ArrowBuf buffer;
    private long address;
    private int capacity;
    private int size;
    private int expected;

    public UngroupedWriter(BufferAllocator allocator, UngroupedLines.Layout layout) {
        this.allocator = allocator;
        this.layout = layout;
        this.strideBytes = layout.strideBytes();
    }

    public UngroupedLines.Layout layout() {
        return layout;
    }

    /** How many lines were written. */
    public int size() {
        return size;
    }

    /** Makes room for lines that are written by {@link #next()} and {@link #count}. */
    public void reserve(int more) {
        if (capacity - size >= more) {
            return;
        }
        int count = Math.max(Math.addExact(size, more), Math.max(expected, 2 * capacity));
        ArrowBuf grown = allocator.buffer((long) strideBytes * count);
        if (buffer != null) {
            MemoryUtil.copyMemory(address, grown.memoryAddress(), (long) strideBytes * size);
            buffer.close();
        }
        buffer = grown;
        address = grown.memoryAddress();
        capacity = (int) Math.min(Integer.MAX_VALUE / 2, grown.capacity() / strideBytes);
    }

    /** Where the next line is to be written. */
    public long next() {
        return address + (long) strideBytes * size;
    }

    /** Counts lines that were written. */
    public void count(int more) {
        size += more;
    }

    /**
     * Adds a line.
     *
     * @param fields the field of each value
     * @param words of the line's fields
     * @param nulls which of them have no value; none if the layout has no nulls
     */
    void add(int keyStart, int keyLength, long slice, int[] fields, long[] words, boolean[] nulls) {
        reserve(1);
        long line = next();
        MemoryUtil.putInt(line, keyStart);
        MemoryUtil.putInt(line + UngroupedLines.Layout.KEY_LENGTH, keyLength);
        if (layout.hasSlices()) {
            MemoryUtil.putLong(line + UngroupedLines.Layout.SLICE, slice);
        }
        if (layout.hasNulls()) {
            putNulls(line + layout.nullsAt(), fields, nulls);
        }
        long value = line + layout.valuesAt();
        for (int i = 0; i < fields.length; i++, value += Long.BYTES) {
            MemoryUtil.putLong(value, words[fields[i]]);
        }
        size++;
    }

    private static void putNulls(long address, int[] fields, boolean[] nulls) {
        long word = 0;
        for (int i = 0; i < fields.length; i++) {
            word |= (nulls[fields[i]] ? 1L : 0) << i;
            if ((i + 1) % Long.SIZE == 0 || i + 1 == fields.length) {
                MemoryUtil.putLong(address + (long) Long.BYTES * (i / Long.SIZE), word);
                word = 0;
            }
        }
    }

    /** The lines, the caller's to close; the next ones are another batch's. */
    public UngroupedLines take() {
        expected = size + size / 8;
        if (size == 0) {
            close();
            return UngroupedLines.NONE;
        }
        UngroupedLines lines = new UngroupedLines(layout, buffer, size);
        buffer = null;
        close();
        return lines;
    }

    /** Forgets what was written. */
    @Override
    public void close() {
        if (buffer != null) {
            buffer.close();
            buffer = null;
        }
        address = 0;
        capacity = 0;
        size = 0;
    }
}
