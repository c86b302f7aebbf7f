package io.flinkgpu.text.regex;

import java.util.regex.PatternSyntaxException;

/**
 * Parses bracketed character classes. Plain ones, of code points, ranges and {@code \d \w \s}, are
 * worked out here; the JDK is asked about all others.
 */
final class ClassParser {

    private final PatternText text;
    private final UnicodeClasses classes;

    ClassParser(PatternText text, UnicodeClasses classes) {
        this.text = text;
        this.classes = classes;
    }

    /**
     * The position after the class that opens at {@code from}.
     *
     * @param comments whether there may be comments in it
     */
    int end(int from, boolean comments) {
        int depth = 0;
        boolean empty = true;
        int at = from;
        while (text.at(at) != PatternText.END) {
            int codePoint = text.at(at);
            if (comments && codePoint == '#') {
                at = Comments.end(text, at);
            } else if (codePoint == '\\') {
                // \c takes the next code point, whatever it is.
                at += text.at(at + 1) == 'c' ? 3 : 2;
                empty = false;
            } else if (codePoint == '[') {
                depth++;
                empty = true;
                at += text.at(at + 1) == '^' ? 2 : 1;
            } else if (codePoint == ']' && !empty) {
                at++;
                if (--depth == 0) {
                    return at;
                }
            } else if (text.startsWith("&&", at)) {
                at += 2;
            } else {
                at++;
                empty = false;
            }
        }
        return at;
    }

    /** How deep the classes inside the one that opens at {@code from} nest, itself included. */
    int nesting(int from) {
        int deepest = 0;
        int depth = 0;
        int end = end(from, false);
        for (int at = from; at < end; at++) {
            switch (text.at(at)) {
                case '\\' -> at++;
                case '[' -> deepest = Math.max(deepest, ++depth);
                case ']' -> depth--;
                default -> {}
            }
        }
        return deepest;
    }

    /**
     * The set of the class at positions {@code from} to {@code to - 1}.
     *
     * @param comments whether white space and comments in it are ignored
     * @return null if the JDK was asked about too many classes
     * @throws PatternSyntaxException if the JDK does not take it for a class
     */
    CodePointSet parse(int from, int to, boolean ignoreCase, boolean comments) {
        boolean isPlain = true;
        for (int at = from; comments && at < to; at++) {
            isPlain &= !Comments.isSpace(text.at(at)) && text.at(at) != '#';
        }
        CodePointSet plain = isPlain ? new Plain(to - 1, ignoreCase).parse(from + 1) : null;
        return plain != null ? plain : classes.ask(text.substring(from, to), ignoreCase, comments);
    }

    /** Whether a set's name, the letter after a backslash, is one of {@code dDwWsS}. */
    static boolean isPredefined(int letter) {
        return letter >= 0 && "dDwWsS".indexOf(letter) >= 0;
    }

    /** The set of {@code \d \D \w \W \s \S}. */
    static CodePointSet predefined(int letter) {
        CodePointSet set =
                switch (Character.toLowerCase(letter)) {
                    case 'd' -> CodePointSet.DIGIT;
                    case 'w' -> CodePointSet.WORD;
                    default -> CodePointSet.SPACE;
                };
        return Character.isUpperCase(letter) ? set.negate() : set;
    }

    /** One pass over the inside of a class; gives up where the class is not plain. */
    private final class Plain {

        private static final int GIVE_UP = -2;

        private final int end;
        private final boolean ignoreCase;
        private final CodePointSet.Builder chars = new CodePointSet.Builder();
        private final CodePointSet.Builder sets = new CodePointSet.Builder();
        private int at;

        private Plain(int end, boolean ignoreCase) {
            this.end = end;
            this.ignoreCase = ignoreCase;
        }

        private CodePointSet parse(int from) {
            at = from;
            boolean negated = text.at(at) == '^';
            if (negated) {
                at++;
            }
            while (at < end) {
                if (text.at(at) == '\\' && isPredefined(text.at(at + 1))) {
                    sets.add(predefined(text.at(at + 1)));
                    at += 2;
                } else if (!range()) {
                    return null;
                }
            }
            CodePointSet listed = chars.build();
            CodePointSet all = sets.add(ignoreCase ? listed.foldAscii() : listed).build();
            return negated ? all.negate() : all;
        }

        private boolean range() {
            int low = codePoint();
            if (low == GIVE_UP) {
                return false;
            }
            int high = low;
            if (text.at(at) == '-' && at + 1 < end) {
                at++;
                high = codePoint();
                if (high == GIVE_UP) {
                    return false;
                }
            }
            chars.add(low, high);
            return true;
        }

        private int codePoint() {
            int codePoint = text.at(at);
            if (codePoint == '[' || text.startsWith("&&", at)) {
                return GIVE_UP;
            }
            at++;
            if (codePoint != '\\') {
                return codePoint;
            }
            int escaped = text.at(at++);
            return switch (escaped) {
                case 't' -> '\t';
                case 'n' -> '\n';
                case 'r' -> '\r';
                case 'f' -> '\f';
                default -> isLetterOrDigit(escaped) ? GIVE_UP : escaped;
            };
        }

        private boolean isLetterOrDigit(int codePoint) {
            return codePoint < 0x80 && Character.isLetterOrDigit(codePoint);
        }
    }
}
