package io.flinkgpu.text.regex;

import io.flinkgpu.api.Rule;
import io.flinkgpu.api.RuleException;
import io.flinkgpu.api.RuleSet;

import org.apache.flink.annotation.Internal;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** Collects what is wrong with regular expressions, one line each. */
@Internal
public final class RuleErrors {

    private static final int SHOWN_REGEX_CHARS = 200;
    private static final int MAX_LINES_A_RULE = 100;

    private final List<String> lines = new ArrayList<>();
    private UnaryOperator<String> subject;
    private int linesBefore;

    /** Says which rule the next errors are about. */
    void about(RuleSet rules, int rule) {
        about(problem -> line(rules, rule, problem));
    }

    /**
     * Says what the next errors are about.
     *
     * @param newSubject makes the line of a problem
     */
    void about(UnaryOperator<String> newSubject) {
        subject = newSubject;
        linesBefore = lines.size();
    }

    /** A construct that this library does not accept. */
    void refuse(String construct, String text, int index, String remedy) {
        add(
                "%s \"%s\" at index %d is not supported: %s"
                        .formatted(construct, oneLine(text, 40), index, remedy));
    }

    /** Any other error: what is broken and what to do. */
    void add(String problem) {
        if (lines.size() - linesBefore < MAX_LINES_A_RULE) {
            lines.add(subject.apply(problem));
        }
    }

    int count() {
        return lines.size();
    }

    void throwIfAny() {
        if (!lines.isEmpty()) {
            throw new RuleException(lines);
        }
    }

    /** One line about a rule, in the form of all errors; the only rule of a set needs no number. */
    public static String line(RuleSet rules, int index, String problem) {
        Rule rule = rules.rule(index);
        return "Redaction rule '%s'%s: %s. Regex: %s"
                .formatted(
                        oneLine(rule.name(), SHOWN_REGEX_CHARS),
                        rules.size() == 1 ? "" : " (#" + (index + 1) + ")",
                        problem,
                        oneLine(rule.regex(), SHOWN_REGEX_CHARS));
    }

    /** The text with control characters and line ends escaped, cut to a length. */
    public static String oneLine(String text, int maxChars) {
        StringBuilder line = new StringBuilder();
        int end = Math.min(text.length(), maxChars);
        for (int i = 0; i < end; i++) {
            char c = text.charAt(i);
            if (c < ' ' || c >= 0x7f && c < 0xa0 || c == 0x2028 || c == 0x2029) {
                line.append(String.format("\\u%04x", (int) c));
            } else {
                line.append(c);
            }
        }
        return end < text.length() ? line + "... (" + text.length() + " chars)" : line.toString();
    }
}
