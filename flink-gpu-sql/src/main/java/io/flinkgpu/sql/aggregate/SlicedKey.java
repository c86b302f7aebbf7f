package io.flinkgpu.sql.aggregate;

import org.apache.flink.core.memory.MemorySegment;
import org.apache.flink.table.data.binary.BinaryRowData;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** A key and the number of its slice as one key: the number is in bits that the key's fields leave free. */
final class SlicedKey {

    private static final VarHandle LONGS =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    /** Above the bits of a binary row's first word that 40 fields need. */
    private static final int SLICE_SHIFT = Byte.SIZE + LocalAggregation.MAX_KEYS;

    private static final long NOT_SLICE = (1L << SLICE_SHIFT) - 1;

    private SlicedKey() {}

    /** Writes a key, its length in bytes being given, and the number. */
    static void write(BinaryRowData key, int length, int slice, byte[] to, int at) {
        MemorySegment from = key.getSegments()[0];
        int offset = key.getOffset();
        LONGS.set(to, at, from.getLongLittleEndian(offset) | (long) slice << SLICE_SHIFT);
        if (length == 2 * Long.BYTES) {
            LONGS.set(to, at + Long.BYTES, from.getLongLittleEndian(offset + Long.BYTES));
        } else {
            from.get(offset + Long.BYTES, to, at + Long.BYTES, length - Long.BYTES);
        }
    }

    /** Leaves the key alone in the array's first bytes; gives the number. */
    static int takeSlice(byte[] key) {
        long word = (long) LONGS.get(key, 0);
        LONGS.set(key, 0, word & NOT_SLICE);
        return (int) (word >>> SLICE_SHIFT);
    }
}
