package io.flinkgpu.column;

/**
 * The numbers of one row, a 64-bit word each: an integer, a decimal's unscaled value, or the bits of a
 * double as {@link Double#doubleToLongBits} gives them. Filled and read anew for each row. Not
 * thread-safe.
 */
public final class RowValues {

    private final long[] words;
    private final boolean[] nulls;

    public RowValues(int columns) {
        words = new long[columns];
        nulls = new boolean[columns];
    }

    public int columns() {
        return words.length;
    }

    public void putWord(int column, long word) {
        words[column] = word;
        nulls[column] = false;
    }

    public void putNull(int column) {
        nulls[column] = true;
    }

    public boolean isNull(int column) {
        return nulls[column];
    }

    /** The word of a value that is not null. */
    public long word(int column) {
        return words[column];
    }
}
