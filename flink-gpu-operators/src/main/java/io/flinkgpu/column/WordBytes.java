package io.flinkgpu.column;

import org.apache.flink.annotation.Internal;

/** Searches the eight bytes of a word for a byte at once. */
@Internal
public final class WordBytes {

    private static final long EVERY_BYTE = 0x0101010101010101L;
    private static final long LOW_BITS = 0x7f7f7f7f7f7f7f7fL;
    private static final long TOP_BITS = ~LOW_BITS;

    /** Brings the lowest bit of each byte into the top byte, that of the first byte lowest. */
    private static final long GATHERED = 0x0102040810204080L;

    private WordBytes() {}

    /** A word of eight times the same byte, 0 to 255. */
    public static long repeated(int value) {
        return EVERY_BYTE * value;
    }

    /**
     * The top bit of each byte of a word that is the wanted one, and no other bit.
     *
     * @param wanted the byte, {@link #repeated}
     */
    public static long marks(long word, long wanted) {
        return ~(others(word, wanted) | LOW_BITS);
    }

    /**
     * The top bit of each byte of a word that is not the wanted one, and perhaps bits below it.
     *
     * @param wanted the byte, {@link #repeated}
     */
    static long others(long word, long wanted) {
        // Mycroft's zero-byte test in the form that has no false positives.
        long zeros = word ^ wanted;
        return (zeros & LOW_BITS) + LOW_BITS | zeros;
    }

    /** Whether the top bits of all bytes are set. */
    static boolean isAll(long others) {
        return (others & TOP_BITS) == TOP_BITS;
    }

    /** A bit for each byte, the first one's lowest, that is set where what {@link #others} gave has none. */
    static long bits(long others) {
        return ((~others & TOP_BITS) >>> 7) * GATHERED >>> 56;
    }

    /**
     * The top bit of the first byte of a word that is the wanted one, and perhaps bits above it; 0 if no
     * byte is.
     *
     * @param wanted the byte, {@link #repeated}
     */
    public static long firstMark(long word, long wanted) {
        // Mycroft's test in its short form, which errs only after a zero byte.
        long zeros = word ^ wanted;
        return zeros - EVERY_BYTE & ~zeros & TOP_BITS;
    }

    /** The place of the first mark in memory order, on a little-endian machine; marks are not 0. */
    public static int first(long marks) {
        return Long.numberOfTrailingZeros(marks) >> 3;
    }
}
