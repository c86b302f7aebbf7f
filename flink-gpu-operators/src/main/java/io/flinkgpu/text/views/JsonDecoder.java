package io.flinkgpu.text.views;

/** Escapes of JSON strings (RFC 8259 section 7), and {@code \xhh} and {@code \'} of JavaScript and Python. */
final class JsonDecoder extends Decoder {

    private static final String LETTERS = "\"\\/'bfnrt";
    private static final String MEANINGS = "\"\\/'\b\f\n\r\t";

    @Override
    boolean isTrigger(int unsignedByte) {
        return unsignedByte == '\\';
    }

    @Override
    int decode(byte[] text, int at, int end) {
        if (at + 1 == end) {
            return -1;
        }
        int kind = text[at + 1];
        int letter = LETTERS.indexOf(kind);
        if (letter >= 0) {
            put(MEANINGS.charAt(letter));
            return 2;
        }
        if (kind == 'x') {
            int value = hex(text, at + 2, 2, end);
            return value < 0 ? -1 : put(value, 4);
        }
        int value = kind == 'u' ? hex(text, at + 2, 4, end) : -1;
        if (value < 0) {
            return -1;
        }
        if (value >> 10 == 0xd800 >> 10
                && at + 7 < end
                && text[at + 6] == '\\'
                && text[at + 7] == 'u') {
            int low = hex(text, at + 8, 4, end);
            if (low >> 10 == 0xdc00 >> 10) {
                return put(Character.toCodePoint((char) value, (char) low), 12);
            }
        }
        return put(value, 6);
    }

    private int put(int codePoint, int sourceBytes) {
        putCodePoint(codePoint);
        return sourceBytes;
    }
}
