package io.flinkgpu.backend.cpu;

import io.flinkgpu.program.TextPart;

import java.util.Arrays;

/** Puts pieces of texts together, one text after the other. Not thread-safe. */
final class CharWriter {

    /** Larger texts are made in columns, which take no more than the memory they are allowed. */
    private static final int MAX_CHARS = 1 << 24;

    /** Room that is kept for the next text. */
    private static final int KEPT_CHARS = 1 << 14;

    /** Pieces below are copied faster in a loop than by the JDK. */
    private static final int LOOP_CHARS = 8;

    private char[] chars = new char[256];
    private int length;

    /** Begins a text. */
    void start() {
        length = 0;
        if (chars.length > KEPT_CHARS) {
            chars = new char[KEPT_CHARS];
        }
    }

    /** What was appended. */
    String text() {
        return new String(chars, 0, length);
    }

    /** Appends a part of a text. */
    void append(String text, int begin, int end) {
        int count = end - begin;
        if (count == 0) {
            return;
        }
        int newLength = reserve(count);
        if (count < LOOP_CHARS) {
            int at = length;
            for (int i = begin; i < end; i++) {
                chars[at++] = text.charAt(i);
            }
        } else {
            text.getChars(begin, end, chars, length);
        }
        requireSeam();
        length = newLength;
    }

    /** Appends a part of a text with each code point mapped. */
    void append(TextPart.Change change, String text, int begin, int end) {
        int from = length;
        append(text, begin, end);
        char first = change == TextPart.Change.UPPER ? 'a' : 'A';
        char last = change == TextPart.Change.UPPER ? 'z' : 'Z';
        for (int i = from; i < length; i++) {
            char value = chars[i];
            if (value >= 0x80) {
                mapFrom(i, change);
                return;
            }
            chars[i] = value >= first && value <= last ? (char) (value ^ 0x20) : value;
        }
    }

    /** Appends a part of a text with all occurrences of another replaced. */
    void appendReplaced(String text, int begin, int end, String what, String with) {
        int copied = begin;
        int at = Utf16.find(text, begin, end, what);
        while (at >= 0) {
            append(text, copied, at);
            append(with, 0, with.length());
            copied = at + what.length();
            at = Utf16.find(text, copied, end, what);
        }
        append(text, copied, end);
    }

    private void mapFrom(int start, TextPart.Change change) {
        int at = start;
        while (at < length) {
            int codePoint = Character.codePointAt(chars, at, length);
            int mapped =
                    change == TextPart.Change.UPPER
                            ? Character.toUpperCase(codePoint)
                            : Character.toLowerCase(codePoint);
            int count = Character.charCount(codePoint);
            if (Character.charCount(mapped) != count) {
                throw new NeedsColumnsException("a letter whose other case has more or fewer chars");
            }
            at += Character.toChars(mapped, chars, at);
        }
    }

    /** Makes room behind; returns the length with so many chars more. */
    private int reserve(int more) {
        long needed = (long) length + more;
        if (needed > MAX_CHARS) {
            throw new NeedsColumnsException("a text of more than " + MAX_CHARS + " chars");
        }
        if (needed > chars.length) {
            chars = Arrays.copyOf(chars, (int) Math.max(needed, chars.length * 2L));
        }
        return (int) needed;
    }

    /** Two unpaired surrogates that meet are no pair as bytes, but become one as chars. */
    private void requireSeam() {
        if (length > 0
                && Character.isLowSurrogate(chars[length])
                && Character.isHighSurrogate(chars[length - 1])) {
            throw new NeedsColumnsException("two unpaired surrogates meet");
        }
    }
}
