package io.flinkgpu.cells;

import org.apache.flink.annotation.Internal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/** A cell on the heap. Two are equal if their bytes are. Not thread-safe. */
@Internal
public final class HeapCell implements Cell {

    static final VarHandle LONGS =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    static final VarHandle INTS =
            MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

    private byte[] bytes = {};
    private int length;

    /** A cell of the same bytes. */
    public HeapCell copy() {
        HeapCell copy = new HeapCell();
        copy.bytes = Arrays.copyOf(bytes, length);
        copy.length = length;
        return copy;
    }

    /** Refers to its bytes, until the cell changes. */
    public void read(CellBytes to) {
        to.set(bytes, 0, length);
    }

    @Override
    public int length() {
        return length;
    }

    @Override
    public void resize(int newLength) {
        if (newLength > bytes.length) {
            int grown = bytes.length + (bytes.length >> 1);
            bytes = Arrays.copyOf(bytes, Math.max(newLength, grown));
        }
        length = newLength;
    }

    @Override
    public byte getByte(int at) {
        return bytes[at];
    }

    @Override
    public void putByte(int at, byte value) {
        bytes[at] = value;
    }

    @Override
    public int getInt(int at) {
        return (int) INTS.get(bytes, at);
    }

    @Override
    public long getLong(int at) {
        return (long) LONGS.get(bytes, at);
    }

    @Override
    public void putLong(int at, long value) {
        LONGS.set(bytes, at, value);
    }

    @Override
    public void get(int at, byte[] to, int toAt, int count) {
        System.arraycopy(bytes, at, to, toAt, count);
    }

    @Override
    public void put(int at, byte[] from, int fromAt, int count) {
        System.arraycopy(from, fromAt, bytes, at, count);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof HeapCell that
                && Arrays.equals(bytes, 0, length, that.bytes, 0, that.length);
    }

    @Override
    public int hashCode() {
        return length;
    }

    @Override
    public String toString() {
        return "HeapCell[length=" + length + "]";
    }
}
