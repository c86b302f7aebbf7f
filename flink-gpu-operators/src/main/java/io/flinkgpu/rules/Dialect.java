package io.flinkgpu.rules;

import java.util.Locale;

/**
 * Whose syntax a regular expression of a pack is in. What the syntaxes write differently is rewritten in that of
 * {@code java.util.regex}; {@code \d \w \s \b} and {@code (?i)} mean ASCII, as in all rules.
 */
enum Dialect {
    /** Go's {@code regexp} and Rust's {@code regex}. */
    RE2,

    /** Python's {@code re} and {@code regex}. */
    PYTHON;

    /**
     * An expression in the syntax of rules.
     *
     * @param groups how many capturing groups it has
     */
    record Translated(String regex, int groups) {}

    Translated translate(String regex) {
        return new Translator(this, regex).translate();
    }

    /** One pass over an expression. */
    private static final class Translator {

        private final Dialect dialect;
        private final String regex;
        private final boolean multiline;
        private final StringBuilder out = new StringBuilder();
        private boolean usesLines;
        private int groups;
        private int at;

        Translator(Dialect dialect, String regex) {
            this.dialect = dialect;
            this.regex = regex;
            this.multiline = regex.matches("(?s).*\\(\\?[a-zA-Z]*m[a-zA-Z]*[-:)].*");
        }

        Translated translate() {
            while (at < regex.length()) {
                char c = regex.charAt(at);
                switch (c) {
                    case '\\' -> escape(false);
                    case '[' -> characterClass();
                    case '(' -> open();
                    case '{' -> brace();
                    case '$' -> end();
                    default -> {
                        usesLines |= c == '.' || c == '^';
                        copy(1);
                    }
                }
            }
            // Only \n ends a line there.
            return new Translated(usesLines ? "(?d)" + out : out.toString(), groups);
        }

        private void copy(int chars) {
            int end = Math.min(regex.length(), at + chars);
            out.append(regex, at, end);
            at = end;
        }

        private void write(String text, int chars) {
            out.append(text);
            at = Math.min(regex.length(), at + chars);
        }

        private void end() {
            if (dialect == RE2 && !multiline) {
                write("\\z", 1);
            } else {
                usesLines = true;
                copy(1);
            }
        }

        private void escape(boolean inClass) {
            if (regex.startsWith("\\Q", at) && dialect == RE2) {
                int close = regex.indexOf("\\E", at);
                copy((close < 0 ? regex.length() : close + 2) - at);
            } else if (regex.startsWith("\\v", at)) {
                write("\\x0B", 2);
            } else if (regex.startsWith("\\Z", at) && dialect == PYTHON) {
                write("\\z", 2);
            } else if (regex.startsWith("\\b", at) && inClass) {
                write("\\x08", 2);
            } else if (regex.startsWith("\\p{", at) || regex.startsWith("\\P{", at)) {
                property();
            } else {
                copy(2);
            }
        }

        /** {@code \p{Greek}} is a script, which Java writes {@code \p{IsGreek}}. */
        private void property() {
            int close = regex.indexOf('}', at);
            if (close < 0) {
                copy(3);
                return;
            }
            boolean negated = regex.charAt(at + 1) == 'P';
            String name = regex.substring(at + 3, close);
            if (name.startsWith("^")) {
                negated = !negated;
                name = name.substring(1);
            }
            out.append(negated ? "\\P{" : "\\p{").append(isScript(name) ? "Is" : "");
            write(name + "}", close + 1 - at);
        }

        private static boolean isScript(String name) {
            try {
                Character.UnicodeScript.forName(name.toUpperCase(Locale.ROOT));
                return name.length() > 2;
            } catch (IllegalArgumentException e) {
                return false;
            }
        }

        /** A bracket in a class is a character; Java would nest a class. */
        private void characterClass() {
            copy(regex.startsWith("[^", at) ? 2 : 1);
            boolean first = true;
            while (at < regex.length() && (first || regex.charAt(at) != ']')) {
                char c = regex.charAt(at);
                if (c == '\\') {
                    escape(true);
                } else if (c == '[' && isPosix()) {
                    copy(regex.indexOf(":]", at) + 2 - at);
                } else if (c == '[' || c == ']' || regex.startsWith("&&", at)) {
                    out.append('\\');
                    copy(1);
                } else {
                    copy(1);
                }
                first = false;
            }
            copy(1);
        }

        private boolean isPosix() {
            int close = regex.indexOf(":]", at);
            return close > 0 && regex.substring(at, close).matches("\\[:\\^?[a-z]+");
        }

        private void open() {
            if (regex.startsWith("(?#", at)) {
                int close = regex.indexOf(')', at);
                at = close < 0 ? regex.length() : close + 1;
                return;
            }
            boolean named =
                    regex.startsWith("(?P<", at)
                            || regex.startsWith("(?<", at)
                                    && !regex.startsWith("(?<=", at)
                                    && !regex.startsWith("(?<!", at);
            groups += named || !regex.startsWith("(?", at) ? 1 : 0;
            copy(1);
        }

        /** A brace that is no repeat is a character. */
        private void brace() {
            int close = regex.indexOf('}', at);
            String inside = close < 0 ? "" : regex.substring(at + 1, close);
            if (inside.matches("[0-9]+(,[0-9]*)?")) {
                copy(close + 1 - at);
            } else if (dialect == PYTHON && inside.matches(",[0-9]+")) {
                write("{0" + inside + "}", close + 1 - at);
            } else {
                out.append('\\');
                copy(1);
            }
        }
    }
}
