package io.flinkgpu.groups;

import io.flinkgpu.api.CountedBytes;
import io.flinkgpu.api.Errors;

import org.apache.flink.annotation.Internal;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

import java.io.IOException;
import java.util.Arrays;

/**
 * Rows and groups of one key group as bytes, on their way between two operators: written by {@link
 * BlockWriter}, read by {@link BlockReader}. Records follow each other:
 *
 * <pre>
 *   tag (1)          1 if it is a group, 2 if a span follows, 4 if values of the row are null
 *   span (16)        the slice's first millisecond, and the first after it; else those of the record before
 *   key's length     one byte; or 255 and four
 *   key
 *   of a row         a bit for each value that is null, if one is; the words of the others (8 each)
 *   of a group       for each value its count (8); unless that is 0: min, max (8 each) if they are kept;
 *                    if a sum is kept, of integers its lower and upper half (8 each), of doubles
 *                    specials, first bin, bins (1 each), and the bins (8 each); if squares are kept
 *                    first bin, bins (1 each), and the bins (8 each)
 *   for each cell    its length as that of a key, 0 if there is nothing in it, and its bytes
 * </pre>
 *
 * Numbers are little-endian. It lives between two operators of one version, never in state.
 *
 * @param keyGroup of all its keys
 * @param records how many there are, at least 1
 * @param bytes not to be changed any more; {@value KeyBytes#PADDING} more than {@code length}
 */
@Internal
public record GroupBlock(int keyGroup, int records, byte[] bytes, int length) {

    static final int GROUP = 1;
    static final int SPAN = 2;
    static final int NULLS = 4;
    static final int LONG = 255;

    /** The key of the first record. */
    public <K> K firstKey(KeyCodec<K> codec) {
        int at = 1 + 2 * Long.BYTES;
        int keyLength = bytes[at++] & 0xff;
        if (keyLength == LONG) {
            keyLength = (int) KeyBytes.INTS.get(bytes, at);
            at += Integer.BYTES;
        }
        return codec.read(bytes, at, keyLength);
    }

    /** Writes a block. */
    public void write(DataOutputView target) throws IOException {
        target.writeInt(keyGroup);
        target.writeInt(records);
        target.writeInt(length);
        target.write(bytes, 0, length);
    }

    /** Reads a block. */
    public static GroupBlock read(DataInputView source) throws IOException {
        int keyGroup = source.readInt();
        int records = source.readInt();
        int length = source.readInt();
        if (records < 1 || length < records) {
            throw Errors.io(
                    "a block of groups has records: records=%s, bytes=%s; both operators must be of"
                            + " one version of the library",
                    records, length);
        }
        byte[] bytes = CountedBytes.read("a block of groups", length, KeyBytes.PADDING, source);
        return new GroupBlock(keyGroup, records, bytes, length);
    }

    /** Copies a block. */
    public static void copy(DataInputView source, DataOutputView target) throws IOException {
        read(source).write(target);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof GroupBlock that
                && keyGroup == that.keyGroup
                && records == that.records
                && Arrays.equals(bytes, 0, length, that.bytes, 0, that.length);
    }

    @Override
    public int hashCode() {
        return 31 * records + length;
    }

    @Override
    public String toString() {
        return "GroupBlock[keyGroup="
                + keyGroup
                + ", records="
                + records
                + ", bytes="
                + length
                + "]";
    }
}
