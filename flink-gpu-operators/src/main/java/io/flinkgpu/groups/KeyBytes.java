package io.flinkgpu.groups;

import org.apache.flink.annotation.Internal;

import org.apache.arrow.memory.util.MemoryUtil;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/** The bytes of one key, in an array that is reused. Not thread-safe. */
@Internal
public final class KeyBytes {

    /** After a key or a block there are this many bytes more, so that whole words can be read. */
    public static final int PADDING = Long.BYTES;

    static final VarHandle LONGS =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    static final VarHandle INTS =
            MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

    private byte[] array = new byte[64 + PADDING];
    private int length;

    /** The array, of which the key is the first bytes; valid until the next change. */
    public byte[] array() {
        return array;
    }

    public int length() {
        return length;
    }

    /** Makes room for a key, whose bytes the caller writes to {@link #array()}. */
    public void setLength(int bytes) {
        if (bytes + PADDING > array.length) {
            array = new byte[Math.max(bytes + PADDING, 2 * array.length)];
        }
        length = bytes;
    }

    /** Sets a copy of some bytes. */
    public void set(byte[] from, int at, int bytes) {
        setLength(bytes);
        System.arraycopy(from, at, array, 0, bytes);
    }

    /** Sets a copy of some bytes off the heap. */
    public void set(long address, int bytes) {
        setLength(bytes);
        MemoryUtil.copyFromMemory(address, array, 0, bytes);
    }

    /** Likewise, faster if they are few; after them {@value #PADDING} more can be read. */
    public void setPadded(long address, int bytes) {
        if (bytes > 2 * Long.BYTES) {
            set(address, bytes);
            return;
        }
        LONGS.set(array, 0, MemoryUtil.getLong(address));
        if (bytes > Long.BYTES) {
            LONGS.set(array, Long.BYTES, MemoryUtil.getLong(address + Long.BYTES));
        }
        length = bytes;
    }

    /** Sets a key of eight bytes. */
    public void setLong(long word) {
        length = Long.BYTES;
        LONGS.set(array, 0, word);
    }

    @Override
    public String toString() {
        return "KeyBytes[length=" + length + "]";
    }

    /** A copy of the key. */
    public byte[] copy() {
        return Arrays.copyOf(array, length);
    }
}
