package io.flinkgpu.backend.cpu.row;

import io.flinkgpu.program.TextPart;

import java.util.Arrays;

/** Puts the pieces of an output text together, one text after the other. Not thread-safe. */
final class CharWriter {

    /** Larger texts are made in columns, which take no more than the memory they are allowed. */
    private static final int MAX_CHARS = 1 << 24;

    /** Room that is kept for the next text. */
    private static final int KEPT_CHARS = 1 << 14;

    private char[] chars = new char[256];
    private int length;
    private boolean isNull;

    /** Begins a text. */
    void start() {
        length = 0;
        isNull = false;
        if (chars.length > KEPT_CHARS) {
            chars = new char[KEPT_CHARS];
        }
    }

    /** What was appended, or null if a piece was. */
    String text() {
        return isNull ? null : new String(chars, 0, length);
    }

    /** Appends a literal. */
    void add(String literal) {
        append(literal, 0, literal.length());
    }

    /** Appends a piece. */
    void add(StringSlice piece, String[] texts) {
        if (piece.isNull()) {
            isNull = true;
        } else {
            append(texts[piece.source], piece.begin, piece.end);
        }
    }

    /** Appends a piece with each code point mapped. */
    void addMapped(TextPart.Change change, StringSlice piece, String[] texts) {
        int from = length;
        add(piece, texts);
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

    /** Appends a piece with all occurrences of a text replaced. */
    void addReplaced(StringSlice piece, String what, String with, String[] texts) {
        if (piece.isNull()) {
            isNull = true;
            return;
        }
        String text = texts[piece.source];
        int copied = piece.begin;
        int at = Utf16.find(text, copied, piece.end, what);
        while (at >= 0) {
            append(text, copied, at);
            append(with, 0, with.length());
            copied = at + what.length();
            at = Utf16.find(text, copied, piece.end, what);
        }
        append(text, copied, piece.end);
    }

    private void append(String text, int begin, int end) {
        int count = end - begin;
        if (count == 0) {
            return;
        }
        int newLength = reserve(count);
        if (count == 1) {
            chars[length] = text.charAt(begin);
        } else {
            text.getChars(begin, end, chars, length);
        }
        requireSeam();
        length = newLength;
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
                throw new NeedsColumnsException(
                        "a letter whose other case has more or fewer chars");
            }
            at += Character.toChars(mapped, chars, at);
        }
    }

    /** Makes room at the end for some chars; returns the length with them. */
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
