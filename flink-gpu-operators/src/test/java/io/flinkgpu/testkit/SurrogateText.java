package io.flinkgpu.testkit;

import java.io.ByteArrayOutputStream;

/**
 * Any bytes as a String: valid UTF-8 is decoded as it is, and each byte {@code b} that is not part of it
 * becomes the lone surrogate {@code U+DC00 + b}. So a byte that counts as a code point is one, and no
 * text loses anything.
 */
public final class SurrogateText {

    private static final int[] LEAST = {0, 0, 0x80, 0x800, 0x10000};

    private SurrogateText() {}

    public static String decode(byte[] bytes) {
        StringBuilder text = new StringBuilder(bytes.length);
        int at = 0;
        while (at < bytes.length) {
            int length = lengthBytes(bytes, at);
            int codePoint = length == 0 ? -1 : codePoint(bytes, at, length);
            if (isValid(codePoint, length)) {
                text.appendCodePoint(codePoint);
                at += length;
            } else {
                text.append((char) (0xdc00 + (bytes[at] & 0xff)));
                at++;
            }
        }
        return text.toString();
    }

    public static byte[] encode(String text) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(text.length());
        text.codePoints()
                .forEach(
                        codePoint -> {
                            if (isByte(codePoint)) {
                                out.write(codePoint - 0xdc00);
                            } else {
                                write(codePoint, out);
                            }
                        });
        return out.toByteArray();
    }

    /** With the bytes that have become neighbours decoded together. */
    public static String normalize(String text) {
        return hasBytes(text) ? decode(encode(text)) : text;
    }

    /** Whether not all of it is valid UTF-8. */
    public static boolean hasBytes(String text) {
        return text.codePoints().anyMatch(SurrogateText::isByte);
    }

    private static boolean isByte(int codePoint) {
        return codePoint >= 0xdc80 && codePoint <= 0xdcff;
    }

    private static void write(int codePoint, ByteArrayOutputStream out) {
        if (codePoint < 0x80) {
            out.write(codePoint);
            return;
        }
        int more = codePoint < 0x800 ? 1 : codePoint < 0x10000 ? 2 : 3;
        out.write(0xff00 >> more + 1 | codePoint >> 6 * more);
        for (int i = more - 1; i >= 0; i--) {
            out.write(0x80 | codePoint >> 6 * i & 0x3f);
        }
    }

    /** How long a sequence is by its first byte; 0 if none starts with it or its other bytes are not there. */
    private static int lengthBytes(byte[] bytes, int at) {
        int first = bytes[at] & 0xff;
        int length = first < 0x80 ? 1 : first < 0xc0 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
        if (first >= 0xf8 || at + length > bytes.length) {
            return 0;
        }
        for (int i = 1; i < length; i++) {
            if ((bytes[at + i] & 0xc0) != 0x80) {
                return 0;
            }
        }
        return length;
    }

    private static int codePoint(byte[] bytes, int at, int length) {
        int value = length == 1 ? bytes[at] : bytes[at] & 0x7f >> length;
        for (int i = 1; i < length; i++) {
            value = value << 6 | bytes[at + i] & 0x3f;
        }
        return value;
    }

    private static boolean isValid(int codePoint, int length) {
        return codePoint >= LEAST[length]
                && codePoint <= Character.MAX_CODE_POINT
                && !(codePoint >= 0xd800 && codePoint <= 0xdfff);
    }
}
