package io.flinkgpu.text.views;

import io.flinkgpu.text.automaton.UnknownBytes;

import java.util.Arrays;

/**
 * Runs of base64 (RFC 4648 sections 4 and 5) of {@value #MIN_CHARACTERS} characters or more, whole, if what they are
 * decoded to is text: well-formed UTF-8 without control characters but tabs and line ends.
 */
final class Base64Decoder extends Decoder {

    static final int MIN_CHARACTERS = 16;

    private static final int NONE = -1;
    private static final int LONGEST_SEQUENCE = 4;
    private static final byte[] VALUES = values();

    private byte[] text = new byte[64];

    private static byte[] values() {
        byte[] values = new byte[256];
        Arrays.fill(values, (byte) NONE);
        for (int i = 0; i < 26; i++) {
            values['A' + i] = (byte) i;
            values['a' + i] = (byte) (26 + i);
        }
        for (int i = 0; i < 10; i++) {
            values['0' + i] = (byte) (52 + i);
        }
        values['+'] = 62;
        values['-'] = 62;
        values['/'] = 63;
        values['_'] = 63;
        return values;
    }

    static boolean isInAlphabet(byte b) {
        return VALUES[b & 0xff] != NONE;
    }

    @Override
    boolean isTrigger(int unsignedByte) {
        return VALUES[unsignedByte] != NONE;
    }

    @Override
    int decode(byte[] source, int at, int end) {
        int to = at;
        while (to < end && VALUES[source[to] & 0xff] != NONE) {
            to++;
        }
        int characters = to - at;
        if (characters < MIN_CHARACTERS || characters % 4 == 1 || !isText(source, at, to)) {
            return -characters;
        }
        for (int padding = characters % 4; padding % 4 != 0 && to < end; padding++) {
            if (source[to] != '=') {
                break;
            }
            to++;
        }
        for (int i = 0; i < 3 * characters / 4; i++) {
            put(text[i]);
        }
        return to - at;
    }

    /** Decodes until it is no text, which mostly is at once. */
    private boolean isText(byte[] source, int from, int to) {
        int length = 0;
        int bits = 0;
        int held = 0;
        int checked = 0;
        int needed = 3 * (to - from) / 4;
        if (text.length < needed) {
            text = new byte[Math.max(needed, 2 * text.length)];
        }
        for (int i = from; i < to; i++) {
            bits = bits << 6 | VALUES[source[i] & 0xff];
            held += 6;
            if (held >= 8) {
                held -= 8;
                text[length++] = (byte) (bits >> held);
                bits &= (1 << held) - 1;
            }
            while (length - checked >= LONGEST_SEQUENCE || checked < length && i + 1 == to) {
                int size = UnknownBytes.lengthAt(text, checked, length);
                int first = text[checked];
                boolean control =
                        first >= 0
                                && first < ' '
                                && first != '\t'
                                && first != '\n'
                                && first != '\r';
                if (size == 0 || control || first == 0x7f) {
                    return false;
                }
                checked += size;
            }
        }
        return true;
    }
}
