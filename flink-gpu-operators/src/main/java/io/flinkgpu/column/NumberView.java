package io.flinkgpu.column;

import org.apache.flink.annotation.Internal;

import org.apache.arrow.memory.util.MemoryUtil;

/**
 * Where the numbers of a column are. A view: owns and closes nothing, and is valid only while its
 * {@link ColumnBatch} is open.
 *
 * @param rows how many rows
 * @param nulls how many of them have no value
 * @param dataAddress address of {@code rows} little-endian numbers, of 4 bytes each in a column of
 *     Int32, else of 8; what is there for a row that has no value is undefined
 * @param validityAddress address of {@code rows} bits, the least significant of a byte first; 0 where
 *     a row has no value
 */
@Internal
public record NumberView(int rows, int nulls, long dataAddress, long validityAddress) {

    public boolean isNull(int row) {
        return (MemoryUtil.getByte(validityAddress + (row >> 3)) >> (row & 7) & 1) == 0;
    }

    /** A number of a column of Int32. */
    public int intAt(int row) {
        return MemoryUtil.getInt(dataAddress + 4L * row);
    }

    /** A number of a column of Int64, or the bits of one of Float64. */
    public long wordAt(int row) {
        return MemoryUtil.getLong(dataAddress + 8L * row);
    }
}
