package io.flinkgpu.column;

import org.apache.flink.annotation.Internal;

/**
 * The values of one row: a text's UTF-8 bytes, else a 64-bit word: an integer, a decimal's unscaled
 * value, the bits of a double as {@link Double#doubleToLongBits} gives them, 1 for true, milliseconds. A
 * list or a vector is the values of a row whose columns are its elements. Filled and read
 * anew for each row. Not thread-safe.
 */
@Internal
public final class RowValues {

    private final long[] words;
    private final byte[][] texts;
    private final int[] textStarts;
    private final int[] textBytes;
    private final byte[][] shortTexts;
    private final RowValues[] lists;
    private final Object[] numbers;
    private final boolean[] nulls;

    public RowValues(int columns) {
        words = new long[columns];
        texts = new byte[columns][];
        textStarts = new int[columns];
        textBytes = new int[columns];
        shortTexts = new byte[columns][];
        lists = new RowValues[columns];
        numbers = new Object[columns];
        nulls = new boolean[columns];
    }

    public int columns() {
        return words.length;
    }

    public void putWord(int column, long word) {
        words[column] = word;
        nulls[column] = false;
    }

    /** Sets a text, which is not copied. */
    public void putText(int column, byte[] utf8) {
        putBytes(column, utf8, utf8.length);
    }

    /** Sets a text or other bytes: the first ones of an array, which is not copied. */
    public void putBytes(int column, byte[] bytes, int count) {
        putBytes(column, bytes, 0, count);
    }

    /** Sets a text or other bytes: some of an array, which is not copied. */
    public void putBytes(int column, byte[] bytes, int start, int count) {
        texts[column] = bytes;
        textStarts[column] = start;
        textBytes[column] = count;
        nulls[column] = false;
    }

    /** Sets a text. */
    public void putText(int column, String text) {
        byte[] room = shortTexts[column];
        if (room == null) {
            room = Utf8.shortTextRoom();
            shortTexts[column] = room;
        }
        int length = Utf8.encodeShortAscii(text, room);
        if (length < 0) {
            putText(column, Utf8.encode(text));
            return;
        }
        putBytes(column, room, length);
    }

    /** Sets a list or a vector, which is not copied. */
    public void putList(int column, RowValues elements) {
        lists[column] = elements;
        nulls[column] = false;
    }

    /**
     * Sets a list of numbers by their bytes, little-endian, as many a number as the column has.
     *
     * @param bytes not copied
     */
    public void putNumbers(int column, byte[] bytes) {
        putArray(column, bytes, bytes.length);
    }

    /** Sets a list of the first numbers of an array, which is not copied. */
    public void putNumbers(int column, long[] array, int count) {
        putArray(column, array, Math.multiplyExact(Long.BYTES, count));
    }

    /** Sets a list of the first numbers of an array, which is not copied. */
    public void putNumbers(int column, int[] array, int count) {
        putArray(column, array, Math.multiplyExact(Integer.BYTES, count));
    }

    /** Sets a list of the first numbers of an array, which is not copied. */
    public void putNumbers(int column, float[] array, int count) {
        putArray(column, array, Math.multiplyExact(Float.BYTES, count));
    }

    private void putArray(int column, Object array, int bytes) {
        numbers[column] = array;
        textBytes[column] = bytes;
        lists[column] = null;
        nulls[column] = false;
    }

    public void putNull(int column) {
        nulls[column] = true;
    }

    public boolean isNull(int column) {
        return nulls[column];
    }

    /**
     * The {@link #textBytes} from {@link #textStart} on are the bytes of a text, or of numbers, that are not
     * null.
     */
    public byte[] text(int column) {
        return texts[column];
    }

    /** Where in its array a text begins that is not null. */
    public int textStart(int column) {
        return textStarts[column];
    }

    /** How many bytes a text has that is not null. */
    public int textBytes(int column) {
        return textBytes[column];
    }

    /** The array of the numbers of a list that is not null and has no {@link #list}. */
    public Object numbers(int column) {
        return numbers[column];
    }

    /** The elements of a list or a vector that is not null; null if they are {@link #numbers}. */
    public RowValues list(int column) {
        return lists[column];
    }

    /** The word of a value that is not null. */
    public long word(int column) {
        return words[column];
    }
}
