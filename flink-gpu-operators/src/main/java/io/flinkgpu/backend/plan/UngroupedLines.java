package io.flinkgpu.backend.plan;

import org.apache.flink.annotation.Internal;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.util.MemoryUtil;

/**
 * Lines of a batch that were read but not grouped, in any order: the key and the values of each, in 64-bit
 * words, a line after the other, as {@link Layout} says. The receiver of the result they are in closes it.
 */
@Internal
public final class UngroupedLines implements AutoCloseable {

    /** No lines. */
    public static final UngroupedLines NONE =
            new UngroupedLines(new Layout(0, false, false), null, 0);

    /**
     * What a line's words are, in this order:
     *
     * <pre>
     *   where its key starts in the batch's bytes (4), how many bytes it has (4)
     *   | slice, if there are slices | a bit for each value that is null, if some may be | the values
     * </pre>
     */
    @Internal
    public record Layout(int values, boolean hasSlices, boolean hasNulls) {

        /** Where the key's length is, in bytes. */
        public static final int KEY_LENGTH = Integer.BYTES;

        /** Where the slice is, if it is there. */
        public static final int SLICE = Long.BYTES;

        /** Where the nulls are, if they are there. */
        public int nullsAt() {
            return hasSlices ? SLICE + Long.BYTES : SLICE;
        }

        /** Where the first value is. */
        public int valuesAt() {
            return nullsAt() + (hasNulls ? Long.BYTES * nullWords() : 0);
        }

        /** How many words the nulls have. */
        public int nullWords() {
            return (values + Long.SIZE - 1) / Long.SIZE;
        }

        /** The bytes of a line. */
        public int strideBytes() {
            return valuesAt() + Long.BYTES * values;
        }
    }

    private final ArrowBuf words;
    private final int size;
    private final long address;
    private final boolean hasSlices;
    private final boolean hasNulls;
    private final int nullsAt;
    private final int valuesAt;
    private final int strideBytes;

    /**
     * @param words owned from here on; null if there are no lines
     */
    public UngroupedLines(Layout layout, ArrowBuf words, int size) {
        this.words = words;
        this.size = size;
        this.address = words == null ? 0 : words.memoryAddress();
        this.hasSlices = layout.hasSlices();
        this.hasNulls = layout.hasNulls();
        this.nullsAt = layout.nullsAt();
        this.valuesAt = layout.valuesAt();
        this.strideBytes = layout.strideBytes();
    }

    /** How many lines there are. */
    public int size() {
        return size;
    }

    /** Where in the batch's bytes a line's key starts; of a shorter key 16 bytes can be read, and eight after any. */
    public int keyStart(int line) {
        return MemoryUtil.getInt(at(line));
    }

    /** How many bytes a line's key has, which are UTF-8. */
    public int keyLength(int line) {
        return MemoryUtil.getInt(at(line) + Layout.KEY_LENGTH);
    }

    /** {@link TimeSlices#NONE} if the plan has no time. */
    public long slice(int line) {
        return hasSlices ? MemoryUtil.getLong(at(line) + Layout.SLICE) : TimeSlices.NONE;
    }

    public boolean isNull(int line, int value) {
        if (!hasNulls) {
            return false;
        }
        long nulls = at(line) + nullsAt + (long) Long.BYTES * (value / Long.SIZE);
        return (MemoryUtil.getLong(nulls) >>> value & 1) != 0;
    }

    /** A value that is not null: an integer, or the bits of a double. */
    public long word(int line, int value) {
        return MemoryUtil.getLong(at(line) + valuesAt + (long) Long.BYTES * value);
    }

    private long at(int line) {
        return address + (long) strideBytes * line;
    }

    @Override
    public void close() {
        if (words != null) {
            words.close();
        }
    }
}
