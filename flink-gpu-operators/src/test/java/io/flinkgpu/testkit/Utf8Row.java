package io.flinkgpu.testkit;

/**
 * A row of bytes as text: each well-formed UTF-8 sequence (Unicode 16, table 3-7) as its UTF-16 chars,
 * each other byte as one {@link #UNKNOWN}.
 */
final class Utf8Row {

    static final char UNKNOWN = '\ufffd';

    private final byte[] bytes;
    private final StringBuilder text = new StringBuilder();
    private final int[] byteOffsetOfChar;

    Utf8Row(byte[] bytes) {
        this.bytes = bytes;
        this.byteOffsetOfChar = new int[bytes.length + 1];
        decode();
    }

    String text() {
        return text.toString();
    }

    /** Where the sequence of a char starts in the row; the row's length for the char behind the last. */
    int byteOffset(int charIndex) {
        return byteOffsetOfChar[charIndex];
    }

    private void decode() {
        int at = 0;
        while (at < bytes.length) {
            int length = wellFormedLength(at);
            if (length == 0) {
                byteOffsetOfChar[text.length()] = at;
                text.append(UNKNOWN);
                at++;
            } else {
                int codePoint = codePoint(at, length);
                for (int i = 0; i < Character.charCount(codePoint); i++) {
                    byteOffsetOfChar[text.length() + i] = at;
                }
                text.appendCodePoint(codePoint);
                at += length;
            }
        }
        byteOffsetOfChar[text.length()] = bytes.length;
    }

    /** The length of the well-formed sequence that starts at a byte, 0 if none does. */
    private int wellFormedLength(int at) {
        int lead = bytes[at] & 0xff;
        if (lead < 0x80) {
            return 1;
        }
        int length = lead >= 0xc2 && lead <= 0xdf ? 2 : lead >> 4 == 0xe ? 3 : 4;
        if (lead < 0xc2 || lead > 0xf4 || at + length > bytes.length) {
            return 0;
        }
        for (int i = 1; i < length; i++) {
            if ((bytes[at + i] & 0xc0) != 0x80) {
                return 0;
            }
        }
        int codePoint = codePoint(at, length);
        int least = length == 2 ? 0x80 : length == 3 ? 0x800 : 0x10000;
        boolean surrogate = codePoint >= 0xd800 && codePoint <= 0xdfff;
        return codePoint < least || codePoint > 0x10ffff || surrogate ? 0 : length;
    }

    private int codePoint(int at, int length) {
        int lead = bytes[at] & 0xff;
        int value = length == 1 ? lead : lead & (0xff >> (length + 1));
        for (int i = 1; i < length; i++) {
            value = value << 6 | bytes[at + i] & 0x3f;
        }
        return value;
    }
}
