package io.flinkgpu.backend.cpu.transform;

import io.flinkgpu.backend.cpu.bytes.Bytes;

import org.apache.arrow.memory.util.MemoryUtil;
import org.apache.arrow.vector.BaseVariableWidthVector;
import org.apache.arrow.vector.FieldVector;

/**
 * Where a column is. A view: valid while its vector is open.
 *
 * @param validityAddress a bit a row, 0 where it is null; 0 if no row is
 * @param offsetsAddress 0 if it is not text
 * @param dataBytes in all texts, separators included
 * @param separatorBytes after each text row
 */
record InputColumn(
        long validityAddress,
        long offsetsAddress,
        long dataAddress,
        int dataBytes,
        int separatorBytes) {

    static InputColumn of(FieldVector vector, int separatorBytes) {
        boolean isText = vector instanceof BaseVariableWidthVector;
        int rows = vector.getValueCount();
        long offsets = isText ? vector.getOffsetBufferAddress() : 0;
        return new InputColumn(
                vector.getNullCount() == 0 ? 0 : vector.getValidityBufferAddress(),
                offsets,
                vector.getDataBufferAddress(),
                isText && rows > 0 ? MemoryUtil.getInt(offsets + 4L * rows) : 0,
                separatorBytes);
    }

    /** Loads the texts of a block. */
    void load(int firstRow, int rows, Slices to) {
        long nextOffset = offsetsAddress + 4L * firstRow;
        int start = MemoryUtil.getInt(nextOffset);
        for (int row = 0; row < rows; row++) {
            nextOffset += Integer.BYTES;
            int end = MemoryUtil.getInt(nextOffset);
            to.put(row, dataAddress + start, end - start - separatorBytes);
            start = end;
        }
        if (validityAddress != 0) {
            for (int row = 0; row < rows; row++) {
                if (!bit(validityAddress, firstRow + row)) {
                    to.putNull(row);
                }
            }
        }
    }

    /** Whether there are {@link Bytes#SLACK} bytes of text from the start of a row on. */
    boolean isSlackBehind(int row) {
        return dataBytes - MemoryUtil.getInt(offsetsAddress + 4L * row) >= Bytes.SLACK;
    }

    /** Loads the numbers of a block. */
    void load(int firstRow, int rows, Numbers to) {
        for (int row = 0; row < rows; row++) {
            to.words[row] = MemoryUtil.getLong(dataAddress + 8L * (firstRow + row));
            to.nulls[row] = validityAddress != 0 && !bit(validityAddress, firstRow + row);
        }
    }

    /** Loads the conditions of a block. */
    void load(int firstRow, int rows, byte[] to) {
        for (int row = 0; row < rows; row++) {
            boolean isNull = validityAddress != 0 && !bit(validityAddress, firstRow + row);
            to[row] = isNull ? Conditions.NULL : Conditions.of(bit(dataAddress, firstRow + row));
        }
    }

    private static boolean bit(long address, int row) {
        return (MemoryUtil.getByte(address + (row >> 3)) >> (row & 7) & 1) != 0;
    }
}
