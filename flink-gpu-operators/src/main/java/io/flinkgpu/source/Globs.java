package io.flinkgpu.source;

import io.flinkgpu.api.Errors;

import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/** Globs as regular expressions. {@link LineFiles#ofGlob} says what they mean. */
final class Globs {

    private static final String SIGNS = "*?[{\\";

    private final String glob;
    private final StringBuilder regex = new StringBuilder();
    private int next;
    private int openBraces;

    private Globs(String glob) {
        this.glob = glob;
    }

    /** Where the first sign is that does not stand for itself; -1 without one. */
    static int firstSign(String glob) {
        for (int i = 0; i < glob.length(); i++) {
            if (SIGNS.indexOf(glob.charAt(i)) >= 0) {
                return i;
            }
        }
        return -1;
    }

    static Pattern regex(String glob) {
        return new Globs(glob).translate();
    }

    private Pattern translate() {
        while (next < glob.length()) {
            char c = glob.charAt(next++);
            switch (c) {
                case '*' -> star();
                case '?' -> regex.append("[^/]");
                case '[' -> characters();
                case '{' -> {
                    openBraces++;
                    regex.append("(?:");
                }
                case '}' -> closeBrace();
                case ',' -> regex.append(openBraces > 0 ? "|" : ",");
                case '\\' -> {
                    if (next == glob.length()) {
                        throw new IllegalArgumentException(
                                "a glob does not end with '\\': glob='" + glob + "'; write '\\\\'");
                    }
                    literal(glob.charAt(next++));
                }
                default -> literal(c);
            }
        }
        if (openBraces > 0) {
            throw unfinished('{', '}');
        }
        try {
            return Pattern.compile(regex.toString(), Pattern.DOTALL);
        } catch (PatternSyntaxException e) {
            throw new IllegalArgumentException(
                    "a range in a glob goes from a character to a later one: glob='"
                            + glob
                            + "'; write for example '[a-z]'",
                    e);
        }
    }

    private void star() {
        boolean wholeName = next == 1 || glob.charAt(next - 2) == '/';
        if (wholeName && glob.startsWith("*/", next)) {
            next += 2;
            regex.append("(?:[^/]+/)*");
        } else if (wholeName && glob.startsWith("*", next) && next + 1 == glob.length()) {
            next++;
            regex.append(".*");
        } else {
            regex.append("[^/]*");
        }
    }

    private void characters() {
        boolean not = glob.startsWith("!", next);
        int from = not ? next + 1 : next;
        // As the first of the characters a bracket is one of them.
        int end = glob.indexOf(']', from + 1);
        if (end < 0) {
            throw unfinished('[', ']');
        }
        regex.append("(?!/)[").append(not ? "^" : "");
        for (char c : glob.substring(from, end).toCharArray()) {
            regex.append("\\[]^&".indexOf(c) >= 0 ? "\\" : "").append(c);
        }
        regex.append(']');
        next = end + 1;
    }

    private void closeBrace() {
        if (openBraces > 0) {
            openBraces--;
            regex.append(')');
        } else {
            literal('}');
        }
    }

    private void literal(char c) {
        regex.append(Pattern.quote(String.valueOf(c)));
    }

    private IllegalArgumentException unfinished(char open, char close) {
        return Errors.argument(
                "a '%s' in a glob ends with '%s': glob='%s'; write '\\%s' for the character",
                open, close, glob, open);
    }
}
