package io.flinkgpu.text.regex;

import java.util.Arrays;
import java.util.Map;

/**
 * A regex in the syntax of {@code java.util.regex}, made from one that may use what RE2, PCRE and Python write
 * for the same: named groups {@code (?P<name>..)}, names with underscores, and POSIX classes {@code
 * [[:alpha:]]}. Each char has its index in the regex as written.
 */
final class JavaForm {

    /** Java's names allow no underscore. */
    private static final String UNDERSCORE = "Z5F";

    private static final Map<String, String> POSIX =
            Map.ofEntries(
                    Map.entry("alnum", "p{Alnum}"),
                    Map.entry("alpha", "p{Alpha}"),
                    Map.entry("ascii", "p{ASCII}"),
                    Map.entry("blank", "p{Blank}"),
                    Map.entry("cntrl", "p{Cntrl}"),
                    Map.entry("digit", "p{Digit}"),
                    Map.entry("graph", "p{Graph}"),
                    Map.entry("lower", "p{Lower}"),
                    Map.entry("print", "p{Print}"),
                    Map.entry("punct", "p{Punct}"),
                    Map.entry("space", "p{Space}"),
                    Map.entry("upper", "p{Upper}"),
                    Map.entry("word", "w"),
                    Map.entry("xdigit", "p{XDigit}"));

    private final String written;
    private final StringBuilder java = new StringBuilder();
    private int[] indexes;
    private int at;

    private JavaForm(String written) {
        this.written = written;
        this.indexes = new int[written.length() + 16];
    }

    static JavaForm of(String written) {
        JavaForm form = new JavaForm(written);
        form.convert();
        return form;
    }

    /** What a group's name is called in {@link #regex()}. */
    static String groupName(String written) {
        return written.replace("_", UNDERSCORE);
    }

    String regex() {
        return java.toString();
    }

    /** The index in the regex as written of an index in {@link #regex()}. */
    int writtenIndex(int index) {
        return index < java.length() ? indexes[index] : written.length();
    }

    private void convert() {
        while (at < written.length()) {
            if (written.charAt(at) == '\\') {
                copyEscape();
            } else if (written.charAt(at) == '[') {
                copyClass();
            } else if (written.startsWith("(?P<", at)) {
                copy(2);
                at++;
                copyName();
            } else if (written.startsWith("(?<", at)) {
                copy(2);
                copyName();
            } else {
                copy(1);
            }
        }
    }

    /** A quotation reaches to its end, {@code \c} takes any character. */
    private void copyEscape() {
        if (written.startsWith("\\Q", at)) {
            int end = written.indexOf("\\E", at);
            copy((end < 0 ? written.length() : end + 2) - at);
        } else {
            copy(written.startsWith("\\c", at) ? 3 : 2);
        }
    }

    /** Copies {@code <name>}; for a lookbehind, which has none, its first character. */
    private void copyName() {
        copy(1);
        if (at < written.length() && "=!".indexOf(written.charAt(at)) >= 0) {
            return;
        }
        while (at < written.length() && isNameChar(written.charAt(at))) {
            if (written.charAt(at) == '_') {
                write(UNDERSCORE);
                at++;
            } else {
                copy(1);
            }
        }
    }

    private static boolean isNameChar(char c) {
        return c == '_' || c < 0x80 && Character.isLetterOrDigit(c);
    }

    private void copyClass() {
        int depth = 0;
        boolean empty = true;
        do {
            char c = written.charAt(at);
            if (c == '\\') {
                copyEscape();
                empty = false;
            } else if (c == '[' && depth > 0 && posix()) {
                empty = false;
            } else if (c == '[') {
                depth++;
                empty = true;
                copy(written.startsWith("[^", at) ? 2 : 1);
            } else if (c == ']' && !empty) {
                depth--;
                copy(1);
            } else {
                copy(1);
                empty = false;
            }
        } while (depth > 0 && at < written.length());
    }

    /** Converts the POSIX class at hand, if it is one. */
    private boolean posix() {
        int end = written.indexOf(":]", at);
        if (end < 0 || !written.startsWith("[:", at)) {
            return false;
        }
        boolean negated = written.startsWith("[:^", at);
        String set = POSIX.get(written.substring(at + (negated ? 3 : 2), Math.max(end, at + 3)));
        if (set == null) {
            return false;
        }
        char letter = negated ? Character.toUpperCase(set.charAt(0)) : set.charAt(0);
        write("\\" + letter + set.substring(1));
        at = end + 2;
        return true;
    }

    private void copy(int count) {
        for (int i = 0; i < count && at < written.length(); i++, at++) {
            write(written.substring(at, at + 1));
        }
    }

    private void write(String chars) {
        for (int i = 0; i < chars.length(); i++) {
            if (java.length() == indexes.length) {
                indexes = Arrays.copyOf(indexes, 2 * indexes.length);
            }
            indexes[java.length()] = at;
            java.append(chars.charAt(i));
        }
    }
}
