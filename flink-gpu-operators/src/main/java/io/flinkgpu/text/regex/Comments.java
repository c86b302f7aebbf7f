package io.flinkgpu.text.regex;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Leaves out what {@code (?x)} has ignored: white space and comments, as far as the flag reaches. Classes stay as
 * they are: the parser reads those.
 */
final class Comments {

    private final PatternText text;
    private final PatternText.Builder kept;
    private final Deque<Boolean> outer = new ArrayDeque<>();
    private boolean ignores;
    private int at;

    private Comments(PatternText text) {
        this.text = text;
        this.kept = new PatternText.Builder(text.length());
    }

    static PatternText strip(PatternText text) {
        return new Comments(text).strip();
    }

    /** Whether {@code (?x)} ignores a code point. */
    static boolean isSpace(int codePoint) {
        return codePoint == ' ' || codePoint >= '\t' && codePoint <= '\r';
    }

    /** The position after the comment whose {@code #} is at a position. */
    static int end(PatternText text, int from) {
        int end = from;
        while (text.at(end) != PatternText.END && !isLineEnd(text.at(end))) {
            end++;
        }
        return end;
    }

    private static boolean isLineEnd(int codePoint) {
        return codePoint == '\n'
                || codePoint == '\r'
                || codePoint == 0x85
                || codePoint == 0x2028
                || codePoint == 0x2029;
    }

    private PatternText strip() {
        ClassParser classes = new ClassParser(text, null);
        while (at < text.length()) {
            int codePoint = text.at(at);
            if (ignores && isSpace(codePoint)) {
                at++;
            } else if (ignores && codePoint == '#') {
                at = end(text, at);
            } else if (codePoint == '\\') {
                keep(text.at(at + 1) == 'c' ? 3 : 2);
            } else if (codePoint == '[') {
                keep(classes.end(at, ignores) - at);
            } else if (codePoint == '(') {
                open();
            } else {
                if (codePoint == ')' && !outer.isEmpty()) {
                    ignores = outer.pop();
                }
                keep(1);
            }
        }
        return kept.build();
    }

    private void open() {
        boolean before = ignores;
        int end = at + 2;
        boolean flags = text.startsWith("(?", at);
        boolean on = true;
        while (flags && isFlag(text.at(end))) {
            on &= text.at(end) != '-';
            if (text.at(end) == 'x') {
                ignores = on;
            }
            end++;
        }
        if (flags && text.at(end) == ')') {
            // It holds to the end of the group that it is in.
            keep(end + 1 - at);
        } else {
            outer.push(before);
            keep(1);
        }
    }

    private static boolean isFlag(int codePoint) {
        return codePoint == '-' || codePoint < 0x80 && Character.isLetter(codePoint);
    }

    private void keep(int count) {
        for (int i = 0; i < count && at < text.length(); i++, at++) {
            kept.add(text.at(at), text.index(at));
        }
    }
}
