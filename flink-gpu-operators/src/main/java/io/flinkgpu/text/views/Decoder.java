package io.flinkgpu.text.views;

import java.util.Arrays;

/** Decodes what a text holds in one form. Time is linear in the text. Not thread-safe. */
abstract class Decoder {

    /** Room for what a part is decoded to. */
    private byte[] decoded = new byte[64];

    private int decodedLength;

    /** Whether what is decoded may start with, or hold, a byte; at all others nothing happens. */
    abstract boolean isTrigger(int unsignedByte);

    /**
     * Decodes what starts at an offset, where a trigger is, through {@link #put}.
     *
     * @return the bytes that are decoded; if nothing is, minus the bytes to go on behind
     */
    abstract int decode(byte[] text, int at, int end);

    /** What a text reads as; null if nothing is decoded in it. */
    View view(byte[] text, int length, boolean[] triggers) {
        View view = null;
        int at = 0;
        while (at < length) {
            if (!triggers[text[at] & 0xff]) {
                at++;
                continue;
            }
            clear();
            int source = decode(text, at, length);
            if (source > 0) {
                view = view == null ? new View(length) : view;
                addTo(view, text, at, at + source);
            }
            at += Math.max(1, Math.abs(source));
        }
        if (view != null) {
            view.copy(text, length);
        }
        return view;
    }

    final boolean[] triggers() {
        boolean[] triggers = new boolean[256];
        for (int b = 0; b < 256; b++) {
            triggers[b] = isTrigger(b);
        }
        return triggers;
    }

    /** Forgets what was put. */
    final void clear() {
        decodedLength = 0;
    }

    /** Adds what was put to a view, for a part of its source. */
    final void addTo(View view, byte[] source, int from, int to) {
        view.add(source, from, to, decoded, decodedLength);
    }

    final void put(int aByte) {
        if (decodedLength == decoded.length) {
            decoded = Arrays.copyOf(decoded, 2 * decodedLength);
        }
        decoded[decodedLength++] = (byte) aByte;
    }

    /** Adds a code point in UTF-8; U+FFFD for one half of a pair. */
    final void putCodePoint(int codePoint) {
        int c = codePoint >= 0xd800 && codePoint <= 0xdfff ? 0xfffd : codePoint;
        if (c < 0x80) {
            put(c);
        } else if (c < 0x800) {
            put(0xc0 | c >> 6);
            put(0x80 | c & 0x3f);
        } else if (c < 0x10000) {
            put(0xe0 | c >> 12);
            put(0x80 | c >> 6 & 0x3f);
            put(0x80 | c & 0x3f);
        } else {
            put(0xf0 | c >> 18);
            put(0x80 | c >> 12 & 0x3f);
            put(0x80 | c >> 6 & 0x3f);
            put(0x80 | c & 0x3f);
        }
    }

    /** The number that some hex digits are; -1 if one of them is none, or they do not end in the text. */
    static int hex(byte[] text, int from, int digits, int end) {
        if (from + digits > end) {
            return -1;
        }
        int value = 0;
        for (int i = from; i < from + digits; i++) {
            int digit = text[i] < 0 ? -1 : Character.digit(text[i], 16);
            if (digit < 0) {
                return -1;
            }
            value = value << 4 | digit;
        }
        return value;
    }
}
