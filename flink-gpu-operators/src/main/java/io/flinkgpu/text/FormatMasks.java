package io.flinkgpu.text;

import io.flinkgpu.text.automaton.UnknownBytes;

/**
 * Writes texts of the form of others. The characters that change take numbers in turn, of 16 bits each, from
 * HMAC-SHA-256 of the text, then of the hex digits of that, and so on. Time is linear in the text. Not thread-safe.
 */
final class FormatMasks {

    private static final int HEX_DIGITS = 64;
    private static final int DIGITS_PER_NUMBER = 4;

    private final KeyedHash hash;
    private byte[] block = new byte[HEX_DIGITS];
    private byte[] next = new byte[HEX_DIGITS];
    private int used;

    FormatMasks(KeyedHash hash) {
        this.hash = hash;
    }

    /**
     * Writes {@code bytes[from, to)} masked to the start of an array, which has room for as many bytes.
     *
     * @param keeps whether what is no letter or digit stays; else it is {@code '*'}
     * @return how many bytes
     */
    int write(byte[] bytes, int from, int to, boolean keeps, byte[] target) {
        hash.write(bytes, from, to, HEX_DIGITS, block, 0);
        used = 0;
        int length = 0;
        for (int i = from; i < to; ) {
            byte b = bytes[i];
            if (b >= '0' && b <= '9') {
                target[length++] = (byte) ('0' + number() % 10);
            } else if (b >= 'A' && b <= 'Z') {
                target[length++] = (byte) ('A' + number() % 26);
            } else if (b >= 'a' && b <= 'z' || b < 0) {
                target[length++] = (byte) ('a' + number() % 26);
            } else {
                target[length++] = keeps ? b : (byte) '*';
            }
            i += b < 0 ? Math.max(1, UnknownBytes.lengthAt(bytes, i, to)) : 1;
        }
        return length;
    }

    private int number() {
        if (used == HEX_DIGITS) {
            hash.write(block, 0, HEX_DIGITS, HEX_DIGITS, next, 0);
            byte[] last = block;
            block = next;
            next = last;
            used = 0;
        }
        int number = 0;
        for (int i = 0; i < DIGITS_PER_NUMBER; i++) {
            number = number << 4 | Character.digit(block[used++], 16);
        }
        return number;
    }
}
