package io.flinkgpu.rules;

import io.flinkgpu.api.RuleException;
import io.flinkgpu.text.Spelling;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/** The errors found in one rule file, each of them one line that names the file and the line. */
final class Problems {

    private static final int MAX_SHOWN = 60;

    private record Entry(int line, String text) {}

    private final String file;
    private final List<Entry> entries = new ArrayList<>();

    Problems(String file) {
        this.file = file;
    }

    /** Adds an error at a line, counted from 1; 0 if it concerns the whole file. */
    void add(int line, String message) {
        entries.add(new Entry(line, at(line, message)));
    }

    /** A message with the file and the line. */
    String at(int line, String message) {
        return place(line) + ": " + message;
    }

    /** The file and the line. */
    String place(int line) {
        return file + (line == 0 ? "" : ":" + line);
    }

    /** Adds that a node is not what a rule of the format says. */
    void unexpected(YamlNode node, String rule, String remedy) {
        unexpected(node, rule, node.describe(), remedy);
    }

    /** Likewise, with other words for what is there. */
    void unexpected(YamlNode node, String rule, String found, String remedy) {
        add(node.line(), rule + ", found " + found + "; " + remedy);
    }

    /**
     * Gives up if there are errors.
     *
     * @throws RuleException with all of them, by line
     */
    void throwIfAny() {
        if (!entries.isEmpty()) {
            throw new RuleException(
                    entries.stream()
                            .sorted(Comparator.comparingInt(Entry::line))
                            .map(Entry::text)
                            .toList());
        }
    }

    /** Adds an error and gives up. */
    RuleException fail(int line, String message) {
        add(line, message);
        throwIfAny();
        throw new AssertionError("there is an error");
    }

    /** A text of the file in quotes, on one line and not too long. */
    static String show(String text) {
        StringBuilder shown = new StringBuilder("'");
        text.codePoints()
                .limit(MAX_SHOWN)
                .forEach(c -> shown.appendCodePoint(isUnprintable(c) ? '\ufffd' : c));
        return shown.append(text.codePointCount(0, text.length()) > MAX_SHOWN ? "...'" : "'")
                .toString();
    }

    /** Whether a code point acts on a terminal or a line instead of showing: Unicode Cc, Cf, Zl, Zp. */
    static boolean isUnprintable(int codePoint) {
        int type = Character.getType(codePoint);
        return type == Character.CONTROL
                || type == Character.FORMAT
                || type == Character.LINE_SEPARATOR
                || type == Character.PARAGRAPH_SEPARATOR;
    }

    /** "; did you mean 'x'?" for the nearest known word, else "; known: x, y". */
    static String suggest(String word, Collection<String> known) {
        return Spelling.nearest(word, known)
                .map(nearest -> "; did you mean '" + nearest + "'?")
                .orElseGet(() -> "; known: " + String.join(", ", known));
    }
}
