package io.flinkgpu.column;

import org.apache.flink.annotation.Internal;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Strings to UTF-8 and back without loss. An unpaired surrogate, which UTF-8 has no form for, is
 * written in the three bytes its number would take (as in WTF-8) and read back as itself; those bytes
 * are not valid UTF-8, so rules see three unknown characters.
 */
@Internal
public final class Utf8 {

    private static final char REPLACEMENT = '\uFFFD';

    /** Above it the JDK's encoder is faster than a loop. */
    private static final int SHORT_TEXT_CHARS = 48;

    private Utf8() {}

    /** An array for {@link #encodeShortAscii}, of a multiple of 8 bytes. */
    public static byte[] shortTextRoom() {
        return new byte[SHORT_TEXT_CHARS];
    }

    /** Encodes a short text of ASCII without making an array; -1 if the text is another. */
    public static int encodeShortAscii(String text, byte[] to) {
        int length = text.length();
        if (length > to.length) {
            return -1;
        }
        for (int i = 0; i < length; i++) {
            char value = text.charAt(i);
            if (value >= 0x80) {
                return -1;
            }
            to[i] = (byte) value;
        }
        return length;
    }

    public static byte[] encode(String text) {
        // The JDK's encoder is an array copy for ASCII text, but writes '?' for an unpaired
        // surrogate.
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        if (bytes.length == text.length() && questionMarksAgree(text, bytes)) {
            return bytes;
        }
        return encodeAny(text);
    }

    public static String decode(byte[] bytes, int from, int length) {
        String text = new String(bytes, from, length, StandardCharsets.UTF_8);
        return text.indexOf(REPLACEMENT) < 0
                ? text
                : decodeAny(Arrays.copyOfRange(bytes, from, from + length));
    }

    private static boolean questionMarksAgree(String text, byte[] bytes) {
        for (int i = 0; i < bytes.length; i++) {
            if (bytes[i] == '?' && text.charAt(i) != '?') {
                return false;
            }
        }
        return true;
    }

    private static byte[] encodeAny(String text) {
        // Three bytes for each char are enough; the JDK's encoder knew that an array holds them.
        byte[] bytes = new byte[(int) Math.min(Integer.MAX_VALUE - 8, 3L * text.length())];
        int length = 0;
        for (int i = 0; i < text.length(); i++) {
            int codePoint = text.codePointAt(i);
            if (codePoint < 0x80) {
                bytes[length++] = (byte) codePoint;
            } else if (codePoint < 0x800) {
                bytes[length++] = (byte) (0xc0 | codePoint >> 6);
                bytes[length++] = continuation(codePoint);
            } else if (codePoint < 0x10000) {
                bytes[length++] = (byte) (0xe0 | codePoint >> 12);
                bytes[length++] = continuation(codePoint >> 6);
                bytes[length++] = continuation(codePoint);
            } else {
                bytes[length++] = (byte) (0xf0 | codePoint >> 18);
                bytes[length++] = continuation(codePoint >> 12);
                bytes[length++] = continuation(codePoint >> 6);
                bytes[length++] = continuation(codePoint);
                i++;
            }
        }
        return Arrays.copyOf(bytes, length);
    }

    private static byte continuation(int bits) {
        return (byte) (0x80 | bits & 0x3f);
    }

    private static String decodeAny(byte[] bytes) {
        StringBuilder text = new StringBuilder(bytes.length);
        int from = 0;
        for (int i = 0; i + 2 < bytes.length; i++) {
            if (isSurrogate(bytes, i)) {
                text.append(new String(bytes, from, i - from, StandardCharsets.UTF_8));
                text.append((char) (0xd000 | (bytes[i + 1] & 0x3f) << 6 | bytes[i + 2] & 0x3f));
                from = i + 3;
                i += 2;
            }
        }
        return text.append(new String(bytes, from, bytes.length - from, StandardCharsets.UTF_8))
                .toString();
    }

    /** Whether ED A0 80 to ED BF BF, the three bytes of a surrogate, are at i. */
    private static boolean isSurrogate(byte[] bytes, int i) {
        return bytes[i] == (byte) 0xed
                && (bytes[i + 1] & 0xe0) == 0xa0
                && (bytes[i + 2] & 0xc0) == 0x80;
    }
}
