package io.flinkgpu.groups;

import io.flinkgpu.api.ValueSpec;
import io.flinkgpu.cells.CellBytes;
import io.flinkgpu.cells.KeptCell;
import io.flinkgpu.column.RowValues;

import org.apache.flink.annotation.Internal;

import java.util.Arrays;
import java.util.List;

/** Writes the records of a {@link GroupBlock}, and then of the next one. Not thread-safe. */
@Internal
public final class BlockWriter {

    private static final int FIRST_BYTES = 256;
    private static final byte[] NONE = new byte[0];

    /** Room for a record or two more than the last block had. */
    private static final int SPARE_BYTES = 512;

    /** Tag, span, and the length of a key. */
    private static final int HEAD_BYTES = 1 + 2 * Long.BYTES + 1 + Integer.BYTES;

    private final int keyGroup;
    private final ValueShape[] shapes;
    private final int cells;
    private final CellBytes cellBytes = new CellBytes();

    /** Of the next block; none before its first record, so that a writer without records needs no memory. */
    private byte[] bytes = NONE;

    private int expectedBytes = FIRST_BYTES;
    private int length;
    private int records;
    private long start;
    private long end;

    /**
     * @param keyGroup of all keys
     */
    public BlockWriter(int keyGroup, List<ValueSpec> values) {
        this(keyGroup, ValueShape.of(values), KeptCell.count(values));
    }

    private BlockWriter(int keyGroup, ValueShape[] shapes, int cells) {
        this.keyGroup = keyGroup;
        this.shapes = shapes;
        this.cells = cells;
    }

    /** A writer of the same values, for the keys of another key group. */
    public BlockWriter ofKeyGroup(int other) {
        return new BlockWriter(other, shapes, cells);
    }

    /** How many bytes the records have so far. */
    public int bytes() {
        return length;
    }

    public boolean isEmpty() {
        return records == 0;
    }

    /** Adds a row of a slice. */
    public void row(KeyBytes key, long sliceStart, long sliceEnd, RowValues row) {
        int nulls = 0;
        for (int value = 0; value < shapes.length; value++) {
            nulls += row.isNull(value) ? 1 : 0;
        }
        int bitmapBytes = nulls == 0 ? 0 : (shapes.length + Byte.SIZE - 1) / Byte.SIZE;
        reserve(key.length() + bitmapBytes + Long.BYTES * shapes.length);
        head(nulls == 0 ? 0 : GroupBlock.NULLS, key, sliceStart, sliceEnd);
        int bitmap = length;
        Arrays.fill(bytes, bitmap, bitmap + bitmapBytes, (byte) 0);
        length += bitmapBytes;
        for (int value = 0; value < shapes.length; value++) {
            if (row.isNull(value)) {
                bytes[bitmap + value / Byte.SIZE] |= (byte) (1 << value % Byte.SIZE);
            } else {
                putLong(row.word(value));
            }
        }
        for (int i = 0; i < cells; i++) {
            int column = shapes.length + i;
            if (row.isNull(column)) {
                putCell(bytes, 0, 0);
            } else {
                putCell(row.text(column), 0, row.textBytes(column));
            }
        }
    }

    /** Adds a group of a slice. */
    public void group(KeyBytes key, long sliceStart, long sliceEnd, GroupSource group) {
        reserve(key.length());
        head(GroupBlock.GROUP, key, sliceStart, sliceEnd);
        for (int value = 0; value < shapes.length; value++) {
            ValueShape shape = shapes[value];
            int bins = shape.isFloatingSum() ? group.bins(value) : 0;
            int squareBins = shape.squares() ? group.squareBins(value) : 0;
            reserve(Long.BYTES * (6 + bins + squareBins));
            putValue(shape, group, value, bins, squareBins);
        }
        for (int i = 0; i < cells; i++) {
            group.cell(i, cellBytes);
            putCell(cellBytes.array(), cellBytes.at(), cellBytes.length());
        }
    }

    private void putCell(byte[] cell, int at, int count) {
        reserve(count);
        putLength(count);
        System.arraycopy(cell, at, bytes, length, count);
        length += count;
    }

    private void putValue(
            ValueShape shape, GroupSource group, int value, int bins, int squareBins) {
        long count = group.count(value);
        putLong(count);
        if (count == 0) {
            return;
        }
        if (shape.extremes()) {
            putLong(group.min(value));
            putLong(group.max(value));
        }
        if (shape.isFloatingSum()) {
            bytes[length++] = (byte) group.specials(value);
            putBins(group::bin, value, group.firstBin(value), bins);
        } else if (shape.sum()) {
            putLong(group.sumLow(value));
            putLong(group.sumHigh(value));
        }
        if (shape.squares()) {
            putBins(group::squareBin, value, group.firstSquareBin(value), squareBins);
        }
    }

    /** Writes the bins from the first to the last that is not 0. */
    private void putBins(Bins from, int value, int firstBin, int bins) {
        int end = bins;
        while (end > 0 && from.bin(value, end - 1) == 0) {
            end--;
        }
        int first = 0;
        while (first < end && from.bin(value, first) == 0) {
            first++;
        }
        bytes[length++] = (byte) (firstBin + first);
        bytes[length++] = (byte) (end - first);
        for (int i = first; i < end; i++) {
            putLong(from.bin(value, i));
        }
    }

    private interface Bins {
        long bin(int value, int index);
    }

    /** The block, which has the writer's array; the next record starts another. There is at least one record. */
    public GroupBlock take() {
        if (bytes.length < length + KeyBytes.PADDING) {
            bytes = Arrays.copyOf(bytes, length + KeyBytes.PADDING);
        }
        GroupBlock block = new GroupBlock(keyGroup, records, bytes, length);
        expectedBytes = length + SPARE_BYTES;
        bytes = NONE;
        length = 0;
        records = 0;
        return block;
    }

    private void head(int tag, KeyBytes key, long sliceStart, long sliceEnd) {
        int keyBytes = key.length();
        if (records == 0 || sliceStart != start || sliceEnd != end) {
            bytes[length++] = (byte) (tag | GroupBlock.SPAN);
            putLong(sliceStart);
            putLong(sliceEnd);
            start = sliceStart;
            end = sliceEnd;
        } else {
            bytes[length++] = (byte) tag;
        }
        records++;
        putLength(keyBytes);
        if (keyBytes == Long.BYTES) {
            putLong((long) KeyBytes.LONGS.get(key.array(), 0));
        } else {
            System.arraycopy(key.array(), 0, bytes, length, keyBytes);
            length += keyBytes;
        }
    }

    private void putLength(int count) {
        if (count < GroupBlock.LONG) {
            bytes[length++] = (byte) count;
        } else {
            bytes[length++] = (byte) GroupBlock.LONG;
            KeyBytes.INTS.set(bytes, length, count);
            length += Integer.BYTES;
        }
    }

    private void putLong(long word) {
        KeyBytes.LONGS.set(bytes, length, word);
        length += Long.BYTES;
    }

    private void reserve(int more) {
        int needed = length + HEAD_BYTES + more;
        if (needed > bytes.length) {
            int grown = bytes.length == 0 ? expectedBytes : 2 * bytes.length;
            bytes = Arrays.copyOf(bytes, Math.max(needed, grown));
        }
    }
}
