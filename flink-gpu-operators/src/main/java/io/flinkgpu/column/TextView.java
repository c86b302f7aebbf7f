package io.flinkgpu.column;

import org.apache.flink.annotation.Internal;

import org.apache.arrow.memory.util.MemoryUtil;
import org.apache.arrow.vector.FieldVector;

/**
 * Where the bytes of a text column are. A view: owns and closes nothing, and is valid only while its
 * {@link ColumnBatch} is open.
 *
 * <pre>
 *   data     | row 0 bytes | sep | row 1 bytes | sep | ...      sep: separatorBytes bytes of '\n'
 *   offsets  | 0 | o1 | o2 | ... | on |                         int32, rows + 1 of them
 * </pre>
 *
 * @param rows how many rows
 * @param dataAddress address of the first row's first byte
 * @param offsetsAddress address of {@code rows + 1} little-endian int32 offsets into data
 * @param separatorBytes 1 if a {@code '\n'} that is not part of the row follows each row, else 0
 */
@Internal
public record TextView(int rows, long dataAddress, long offsetsAddress, int separatorBytes) {

    private static final long NOT_ASCII = 0x8080808080808080L;

    static TextView of(FieldVector vector, int separatorBytes) {
        return new TextView(
                vector.getValueCount(),
                vector.getDataBuffer().memoryAddress(),
                vector.getOffsetBuffer().memoryAddress(),
                separatorBytes);
    }

    /** Offset of a row's first byte. */
    public int start(int row) {
        return MemoryUtil.getInt(offsetsAddress + 4L * row);
    }

    /** Offset after a row's last byte, its separator not included. */
    public int end(int row) {
        return MemoryUtil.getInt(offsetsAddress + 4L * row + 4) - separatorBytes;
    }

    /** Bytes in all rows, separators included. */
    public int dataBytes() {
        return MemoryUtil.getInt(offsetsAddress + 4L * rows);
    }

    /** Where the first byte between two offsets is that is not ASCII; the end if there is none. */
    public int firstNonAscii(int from, int end) {
        int at = from;
        while (end - at >= Long.BYTES && (MemoryUtil.getLong(dataAddress + at) & NOT_ASCII) == 0) {
            at += Long.BYTES;
        }
        while (at < end && MemoryUtil.getByte(dataAddress + at) >= 0) {
            at++;
        }
        return at;
    }

    /** A copy of the bytes of a row. */
    public byte[] copyRow(int row) {
        return copy(start(row), end(row));
    }

    /** A copy of the bytes between two offsets. */
    public byte[] copy(int from, int to) {
        byte[] bytes = new byte[to - from];
        copy(from, bytes, bytes.length);
        return bytes;
    }

    /** Copies {@code lengthBytes} from an offset on, to the beginning of an array. */
    public void copy(int from, byte[] target, int lengthBytes) {
        MemoryUtil.copyFromMemory(dataAddress + from, target, 0, lengthBytes);
    }
}
