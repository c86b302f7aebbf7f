package io.flinkgpu.applications;

/** Bits as hexadecimal digits, the most significant first. */
final class HexBits {

    private static final char[] DIGITS = "0123456789abcdef".toCharArray();
    private static final int DIGIT_BITS = 4;

    private HexBits() {}

    /**
     * Reads digits.
     *
     * @param digits how many there are to be
     * @return -1 if they are not so many, or one is none
     */
    static long read(byte[] bytes, int from, int to, int digits) {
        if (to - from != digits) {
            return -1;
        }
        long bits = 0;
        for (int at = from; at < to; at++) {
            int digit = Character.digit(bytes[at], 1 << DIGIT_BITS);
            if (digit < 0) {
                return -1;
            }
            bits = bits << DIGIT_BITS | digit;
        }
        return bits;
    }

    /** Writes the 8 digits of 32 bits. */
    static void write(int bits, byte[] target, int at) {
        for (int i = 0; i < 2 * Integer.BYTES; i++) {
            int shift = Integer.SIZE - DIGIT_BITS * (i + 1);
            target[at + i] = (byte) DIGITS[bits >>> shift & (1 << DIGIT_BITS) - 1];
        }
    }
}
