package io.flinkgpu.backend.cuda.redact;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/** Tables one behind the other, as the kernels read them. Not thread-safe. */
final class TableBytes {

    private static final int ALIGNMENT_BYTES = 256;

    private final List<byte[]> tables = new ArrayList<>();
    private int size;

    /** Adds a table; returns where it starts. */
    int add(byte[] table) {
        int at = size;
        tables.add(table);
        size = Math.addExact(size, table.length + ALIGNMENT_BYTES - 1) & -ALIGNMENT_BYTES;
        return at;
    }

    /** All tables. */
    byte[] toBytes() {
        byte[] all = new byte[size];
        int at = 0;
        for (byte[] table : tables) {
            System.arraycopy(table, 0, all, at, table.length);
            at = at + table.length + ALIGNMENT_BYTES - 1 & -ALIGNMENT_BYTES;
        }
        return all;
    }

    static byte[] ofChars(char[] values) {
        ByteBuffer buffer = littleEndian(Math.multiplyExact(Character.BYTES, values.length));
        buffer.asCharBuffer().put(values);
        return buffer.array();
    }

    static byte[] ofInts(int[] values) {
        ByteBuffer buffer = littleEndian(Integer.BYTES * values.length);
        buffer.asIntBuffer().put(values);
        return buffer.array();
    }

    static byte[] ofLongs(long[] values) {
        ByteBuffer buffer = littleEndian(Long.BYTES * values.length);
        buffer.asLongBuffer().put(values);
        return buffer.array();
    }

    static ByteBuffer littleEndian(int bytes) {
        return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }
}
