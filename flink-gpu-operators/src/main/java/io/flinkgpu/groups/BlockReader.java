package io.flinkgpu.groups;

import io.flinkgpu.api.ValueSpec;
import io.flinkgpu.cells.CellBytes;
import io.flinkgpu.cells.KeptCell;
import io.flinkgpu.state.Partial;

import org.apache.flink.annotation.Internal;

import java.util.List;

/**
 * Reads the records of a {@link GroupBlock}, one at a time: first {@link #next()}. As a {@link
 * GroupSource} it is the group that it stands at; a row has words instead. Not thread-safe.
 */
@Internal
public final class BlockReader implements GroupSource {

    private final ValueShape[] shapes;

    /** Where each value of a group is; the words of a row, one after the other. */
    private final int[] at;

    /** Where each cell is, and how many bytes it has. */
    private final int[] cellAt;

    private final int[] cellLengths;

    /** Where its squares are. */
    private final int[] squaresAt;

    private final long[] words;
    private final boolean[] nulls;
    private byte[] bytes = {};
    private int length;
    private int next;
    private boolean group;
    private boolean hasNulls;
    private int wordsAt;
    private long start;
    private long end;
    private int keyAt;
    private int keyLength;

    /** Reads blocks of these values. */
    public BlockReader(List<ValueSpec> values) {
        shapes = ValueShape.of(values);
        at = new int[shapes.length];
        cellAt = new int[KeptCell.count(values)];
        cellLengths = new int[cellAt.length];
        squaresAt = new int[shapes.length];
        words = new long[shapes.length];
        nulls = new boolean[shapes.length];
    }

    /** Begins with a block, before its first record. */
    public BlockReader open(GroupBlock block) {
        bytes = block.bytes();
        length = block.length();
        next = 0;
        return this;
    }

    /** Goes to the next record; false if there is none. */
    public boolean next() {
        if (!nextKey()) {
            return false;
        }
        if (!group) {
            readWords();
        }
        return true;
    }

    /** Goes to the next record to read its span and key only; false if there is none. */
    boolean nextKey() {
        if (next == length) {
            return false;
        }
        int tag = bytes[next++];
        if ((tag & GroupBlock.SPAN) != 0) {
            start = longAt(next);
            end = longAt(next + Long.BYTES);
            next += 2 * Long.BYTES;
        }
        keyLength = readLength();
        keyAt = next;
        next += keyLength;
        group = (tag & GroupBlock.GROUP) != 0;
        hasNulls = (tag & GroupBlock.NULLS) != 0;
        wordsAt = next;
        if (group) {
            findValues();
        } else {
            next += hasNulls ? nullableBytes() : Long.BYTES * words.length;
        }
        for (int i = 0; i < cellAt.length; i++) {
            cellLengths[i] = readLength();
            cellAt[i] = next;
            next += cellLengths[i];
        }
        return true;
    }

    private int readLength() {
        int length = bytes[next++] & 0xff;
        if (length == GroupBlock.LONG) {
            length = (int) KeyBytes.INTS.get(bytes, next);
            next += Integer.BYTES;
        }
        return length;
    }

    private int nullableBytes() {
        int values = words.length;
        for (int value = 0; value < words.length; value++) {
            values -= isNull(value) ? 1 : 0;
        }
        return bitmapBytes() + Long.BYTES * values;
    }

    private int bitmapBytes() {
        return (words.length + Byte.SIZE - 1) / Byte.SIZE;
    }

    private boolean isNull(int value) {
        return (bytes[wordsAt + value / Byte.SIZE] >> value % Byte.SIZE & 1) != 0;
    }

    private void readWords() {
        int at = wordsAt + (hasNulls ? bitmapBytes() : 0);
        for (int value = 0; value < words.length; value++) {
            nulls[value] = hasNulls && isNull(value);
            if (!nulls[value]) {
                words[value] = longAt(at);
                at += Long.BYTES;
            }
        }
    }

    private void findValues() {
        for (int value = 0; value < shapes.length; value++) {
            at[value] = next;
            next += Long.BYTES;
            if (longAt(at[value]) != 0) {
                ValueShape shape = shapes[value];
                next += shape.extremes() ? 2 * Long.BYTES : 0;
                if (shape.isFloatingSum()) {
                    next += 3 + Long.BYTES * unsigned(next + 2);
                } else if (shape.sum()) {
                    next += 2 * Long.BYTES;
                }
                if (shape.squares()) {
                    squaresAt[value] = next;
                    next += 2 + Long.BYTES * unsigned(next + 1);
                }
            }
        }
    }

    /** The first millisecond of the record's slice. */
    public long start() {
        return start;
    }

    /** The first millisecond after it. */
    public long end() {
        return end;
    }

    /** The array that the key is in; 8 bytes more than the key can be read. */
    public byte[] bytes() {
        return bytes;
    }

    /** Where the key is. */
    public int keyAt() {
        return keyAt;
    }

    public int keyLength() {
        return keyLength;
    }

    /** Whether the record is a group; if not, it is a row. */
    public boolean isGroup() {
        return group;
    }

    /** Adds the record to a group of a table. */
    public void addTo(GroupTable table, int to) {
        if (group) {
            table.merge(to, this);
            return;
        }
        for (int value = 0; value < words.length; value++) {
            if (!nulls[value]) {
                table.add(to, value, words[value]);
            }
        }
        for (int i = 0; i < cellAt.length; i++) {
            if (cellLengths[i] > 0) {
                table.addCell(to, i, bytes, cellAt[i], cellLengths[i]);
            }
        }
    }

    /** Adds the record to a partial of the same values. */
    public void addTo(Partial into) {
        if (group) {
            PartialSource.add(this, shapes.length, into);
            return;
        }
        for (int value = 0; value < words.length; value++) {
            if (!nulls[value]) {
                into.add(value, words[value]);
            }
        }
        CellBytes cell = new CellBytes();
        for (int i = 0; i < cellAt.length; i++) {
            cell(i, cell);
            into.cell(i).add(cell);
        }
    }

    @Override
    public long count(int value) {
        return longAt(at[value]);
    }

    @Override
    public long min(int value) {
        return shapes[value].extremes() ? longAt(at[value] + Long.BYTES) : Long.MAX_VALUE;
    }

    @Override
    public long max(int value) {
        return shapes[value].extremes() ? longAt(at[value] + 2 * Long.BYTES) : Long.MIN_VALUE;
    }

    @Override
    public int specials(int value) {
        return shapes[value].isFloatingSum() ? bytes[sumAt(value)] : 0;
    }

    @Override
    public int firstBin(int value) {
        return shapes[value].isFloatingSum() ? unsigned(sumAt(value) + 1) : 0;
    }

    @Override
    public int bins(int value) {
        return shapes[value].isFloatingSum() ? unsigned(sumAt(value) + 2) : 0;
    }

    @Override
    public long bin(int value, int index) {
        return longAt(sumAt(value) + 3 + Long.BYTES * index);
    }

    @Override
    public long sumLow(int value) {
        return shapes[value].sum() ? longAt(sumAt(value)) : 0;
    }

    @Override
    public long sumHigh(int value) {
        return shapes[value].sum() ? longAt(sumAt(value) + Long.BYTES) : 0;
    }

    @Override
    public void cell(int cell, CellBytes to) {
        to.set(bytes, cellAt[cell], cellLengths[cell]);
    }

    @Override
    public int firstSquareBin(int value) {
        return shapes[value].squares() ? unsigned(squaresAt[value]) : 0;
    }

    @Override
    public int squareBins(int value) {
        return shapes[value].squares() ? unsigned(squaresAt[value] + 1) : 0;
    }

    @Override
    public long squareBin(int value, int index) {
        return longAt(squaresAt[value] + 2 + Long.BYTES * index);
    }

    private int unsigned(int index) {
        return bytes[index] & 0xff;
    }

    private int sumAt(int value) {
        return at[value] + (shapes[value].extremes() ? 3 : 1) * Long.BYTES;
    }

    private long longAt(int index) {
        return (long) KeyBytes.LONGS.get(bytes, index);
    }
}
