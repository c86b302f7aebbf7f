package io.flinkgpu.groups;

import org.apache.flink.annotation.Internal;

import org.apache.arrow.memory.util.MemoryUtil;

/**
 * {@link String#hashCode()} of a text that is there as bytes, which need not become a string for that.
 * Eight characters of ASCII are hashed at once.
 */
@Internal
public final class TextHash {

    private static final long TOP_BITS = 0x8080808080808080L;
    private static final long EVEN_BYTES = 0x00ff00ff00ff00ffL;
    private static final long EVEN_CHARS = 0x0000ffff0000ffffL;
    private static final int FACTOR = 31;
    private static final int FACTOR_2 = FACTOR * FACTOR;
    private static final int FACTOR_4 = FACTOR_2 * FACTOR_2;
    private static final int FACTOR_8 = FACTOR_4 * FACTOR_4;

    private TextHash() {}

    /**
     * The hash of the text of some bytes.
     *
     * @param bytes UTF-8, with unpaired surrogates as in WTF-8; {@value KeyBytes#PADDING} more can be read
     *     after them
     */
    public static int of(byte[] bytes, int at, int length) {
        int head = length & Long.BYTES - 1;
        int next = at + head;
        // Bytes that are 0 before a text do not change its hash.
        long word = head == 0 ? 0 : longAt(bytes, at) << Long.SIZE - Byte.SIZE * head;
        long seen = word;
        int hash = ofEight(word);
        for (int end = at + length; next < end; next += Long.BYTES) {
            word = longAt(bytes, next);
            seen |= word;
            hash = hash * FACTOR_8 + ofEight(word);
        }
        return (seen & TOP_BITS) == 0 ? hash : ofAny(bytes, at, length);
    }

    /**
     * Likewise, of a copy of bytes off the heap that was just made: there the processor need not wait until
     * they are in the array.
     *
     * @param address of the bytes, after which eight more can be read
     */
    public static int of(KeyBytes copy, long address) {
        int length = copy.length();
        int head = length & Long.BYTES - 1;
        long end = address + length;
        long word = head == 0 ? 0 : MemoryUtil.getLong(address) << Long.SIZE - Byte.SIZE * head;
        long seen = word;
        int hash = ofEight(word);
        for (long next = address + head; next < end; next += Long.BYTES) {
            word = MemoryUtil.getLong(next);
            seen |= word;
            hash = hash * FACTOR_8 + ofEight(word);
        }
        return (seen & TOP_BITS) == 0 ? hash : ofAny(copy.array(), 0, length);
    }

    /** The hash of eight characters of ASCII, the first of them in the lowest byte. */
    private static int ofEight(long word) {
        long pairs = (word & EVEN_BYTES) * FACTOR + (word >>> Byte.SIZE & EVEN_BYTES);
        long fours = (pairs & EVEN_CHARS) * FACTOR_2 + (pairs >>> Short.SIZE & EVEN_CHARS);
        return (int) fours * FACTOR_4 + (int) (fours >>> Integer.SIZE);
    }

    private static int ofAny(byte[] bytes, int at, int length) {
        int hash = 0;
        int end = at + length;
        int i = at;
        while (i < end) {
            int first = bytes[i];
            if (first >= 0) {
                hash = FACTOR * hash + first;
                i++;
            } else if ((first & 0xe0) == 0xc0) {
                hash = FACTOR * hash + ((first & 0x1f) << 6 | bytes[i + 1] & 0x3f);
                i += 2;
            } else if ((first & 0xf0) == 0xe0) {
                hash = FACTOR * hash + (char) (first << 12 | tail(bytes, i + 1));
                i += 3;
            } else {
                int point = (first & 0x07) << 18 | (bytes[i + 1] & 0x3f) << 12 | tail(bytes, i + 2);
                hash = FACTOR * hash + Character.highSurrogate(point);
                hash = FACTOR * hash + Character.lowSurrogate(point);
                i += 4;
            }
        }
        return hash;
    }

    /** The bits of two continuation bytes. */
    private static int tail(byte[] bytes, int at) {
        return (bytes[at] & 0x3f) << 6 | bytes[at + 1] & 0x3f;
    }

    private static long longAt(byte[] bytes, int at) {
        return (long) KeyBytes.LONGS.get(bytes, at);
    }
}
