package io.flinkgpu.text.regex;

import java.util.Arrays;

/**
 * The code points of a regex with {@code \Q...\E} turned into escapes, each with its index in the
 * regex as written.
 */
final class PatternText {

    /** Ends the text: no code point. */
    static final int END = -1;

    private final int[] codePoints;
    private final int[] indexes;
    private final int length;

    private PatternText(Builder builder) {
        codePoints = builder.codePoints;
        indexes = builder.indexes;
        length = builder.length;
    }

    static PatternText of(String regex) {
        return of(JavaForm.of(regex));
    }

    static PatternText of(JavaForm form) {
        String regex = form.regex();
        Builder text = new Builder(regex.length() + 8);
        boolean quoted = false;
        int at = 0;
        while (at < regex.length()) {
            int codePoint = regex.codePointAt(at);
            int index = form.writtenIndex(at);
            if (quoted) {
                if (regex.startsWith("\\E", at)) {
                    quoted = false;
                    at += 2;
                    continue;
                }
                text.addQuoted(codePoint, index);
            } else if (codePoint == '\\') {
                if (regex.startsWith("\\Q", at)) {
                    quoted = true;
                    at += 2;
                    continue;
                }
                text.add('\\', index);
                if (++at < regex.length()) {
                    codePoint = regex.codePointAt(at);
                    text.add(codePoint, form.writtenIndex(at));
                } else {
                    break;
                }
            } else {
                text.add(codePoint, index);
            }
            at += Character.charCount(codePoint);
        }
        return text.build();
    }

    /** Collects code points with their indexes. */
    static final class Builder {

        private int[] codePoints;
        private int[] indexes;
        private int length;

        Builder(int capacity) {
            codePoints = new int[Math.max(8, capacity)];
            indexes = new int[codePoints.length];
        }

        private void addQuoted(int codePoint, int index) {
            if (codePoint >= '0' && codePoint <= '9') {
                // A digit may stand after an escape that would take it in.
                add('\\', index);
                add('x', index);
                add('3', index);
            } else if (codePoint < 0x80 && !Character.isLetter(codePoint)) {
                add('\\', index);
            }
            add(codePoint, index);
        }

        void add(int codePoint, int index) {
            if (length == codePoints.length) {
                codePoints = Arrays.copyOf(codePoints, 2 * length);
                indexes = Arrays.copyOf(indexes, 2 * length);
            }
            codePoints[length] = codePoint;
            indexes[length++] = index;
        }

        PatternText build() {
            return new PatternText(this);
        }
    }

    int length() {
        return length;
    }

    /** The code point at a position, or {@link #END} after the last. */
    int at(int position) {
        return position < length ? codePoints[position] : END;
    }

    /** The index in the regex as written. */
    int index(int position) {
        return position < length ? indexes[position] : length == 0 ? 0 : indexes[length - 1] + 1;
    }

    boolean startsWith(String ascii, int position) {
        for (int i = 0; i < ascii.length(); i++) {
            if (at(position + i) != ascii.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    /** The position after the next such code point at {@code from} or after it, or the end. */
    int after(int codePoint, int from) {
        int end = from;
        while (end < length && codePoints[end] != codePoint) {
            end++;
        }
        return Math.min(end + 1, length);
    }

    /** The text of positions {@code from} to {@code to - 1}. */
    String substring(int from, int to) {
        return new String(codePoints, from, Math.min(to, length) - from);
    }
}
