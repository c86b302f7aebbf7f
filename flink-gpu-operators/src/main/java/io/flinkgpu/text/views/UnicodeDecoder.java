package io.flinkgpu.text.views;

import io.flinkgpu.text.automaton.UnknownBytes;

import java.nio.charset.StandardCharsets;
import java.text.Normalizer;

/**
 * Characters as they look: of each character with the marks after it the compatibility form NFKC, in which decimal
 * digits, dashes and spaces become those of ASCII, and invisible characters are left out. No more than {@value
 * #MAX_MARKS} marks count as one character's, as in UAX 15's stream-safe text, which keeps time linear.
 */
final class UnicodeDecoder extends Decoder {

    static final int MAX_MARKS = 30;

    private static final int MINUS_SIGN = 0x2212;

    /** First and last code points of those that Unicode calls default-ignorable. */
    private static final int[] INVISIBLE = {
        0xad, 0xad, 0x34f, 0x34f, 0x61c, 0x61c, 0x115f, 0x1160, 0x17b4, 0x17b5, 0x180b, 0x180f,
        0x200b, 0x200f, 0x202a, 0x202e, 0x2060, 0x206f, 0x3164, 0x3164, 0xfe00, 0xfe0f, 0xfeff,
        0xfeff, 0xffa0, 0xffa0, 0xfff0, 0xfff8, 0x1bca0, 0x1bca3, 0x1d173, 0x1d17a, 0xe0000, 0xe0fff
    };

    @Override
    boolean isTrigger(int unsignedByte) {
        return unsignedByte >= 0x80 || isControl(unsignedByte);
    }

    @Override
    View view(byte[] text, int length, boolean[] triggers) {
        // Marks belong to an ASCII character before them, which is no trigger.
        View view = null;
        int at = 0;
        while (at < length) {
            if (!triggers[text[at] & 0xff] && (at + 1 == length || text[at + 1] >= 0)) {
                at++;
                continue;
            }
            int end = characterEnd(text, at, length);
            clear();
            if (!normalize(text, at, end)) {
                view = view == null ? new View(length) : view;
                addTo(view, text, at, end);
            }
            at = end;
        }
        if (view != null) {
            view.copy(text, length);
        }
        return view;
    }

    @Override
    int decode(byte[] text, int at, int end) {
        throw new IllegalStateException("characters are decoded with the marks after them");
    }

    private static boolean isControl(int codePoint) {
        return codePoint < ' ' && (codePoint < '\t' || codePoint > '\r') || codePoint == 0x7f;
    }

    /** Where a character ends with its marks. */
    private static int characterEnd(byte[] text, int at, int end) {
        int to = at + Math.max(1, UnknownBytes.lengthAt(text, at, end));
        for (int marks = 0; marks < MAX_MARKS && to < end && text[to] < 0; marks++) {
            int size = UnknownBytes.lengthAt(text, to, end);
            if (size == 0 || !isMark(codePoint(text, to, size))) {
                break;
            }
            to += size;
        }
        return to;
    }

    /** Puts what a character becomes; returns whether that is the same. */
    private boolean normalize(byte[] text, int from, int to) {
        if (UnknownBytes.lengthAt(text, from, to) == 0) {
            return true;
        }
        String character = new String(text, from, to - from, StandardCharsets.UTF_8);
        String form =
                Normalizer.isNormalized(character, Normalizer.Form.NFKC)
                        ? character
                        : Normalizer.normalize(character, Normalizer.Form.NFKC);
        boolean same = form.equals(character);
        for (int i = 0; i < form.length(); ) {
            int codePoint = form.codePointAt(i);
            int folded = folded(codePoint);
            same &= folded == codePoint;
            if (folded >= 0) {
                putCodePoint(folded);
            }
            i += Character.charCount(codePoint);
        }
        return same;
    }

    /** What stands for a code point; -1 if nothing does. */
    private static int folded(int codePoint) {
        if (codePoint < 0x80) {
            return isControl(codePoint) ? -1 : codePoint;
        }
        for (int i = 0; i < INVISIBLE.length; i += 2) {
            if (codePoint >= INVISIBLE[i] && codePoint <= INVISIBLE[i + 1]) {
                return -1;
            }
        }
        int type = Character.getType(codePoint);
        if (type == Character.DECIMAL_DIGIT_NUMBER) {
            return '0' + Character.digit(codePoint, 10);
        }
        if (type == Character.DASH_PUNCTUATION || codePoint == MINUS_SIGN) {
            return '-';
        }
        return type == Character.SPACE_SEPARATOR ? ' ' : codePoint;
    }

    /** What may join the character before it: combining marks, and vowels and ends of Korean syllables. */
    private static boolean isMark(int codePoint) {
        int type = Character.getType(codePoint);
        return type == Character.NON_SPACING_MARK
                || type == Character.COMBINING_SPACING_MARK
                || type == Character.ENCLOSING_MARK
                || codePoint >= 0x1160 && codePoint <= 0x11ff
                || codePoint == 0xff9e
                || codePoint == 0xff9f;
    }

    private static int codePoint(byte[] text, int at, int size) {
        int value = size == 1 ? text[at] : text[at] & 0xff >> size + 1;
        for (int i = 1; i < size; i++) {
            value = value << 6 | text[at + i] & 0x3f;
        }
        return value;
    }
}
