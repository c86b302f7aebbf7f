package io.flinkgpu.text;

import io.flinkgpu.text.automaton.Dfa;
import io.flinkgpu.text.automaton.LinearMatcher;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A match: bytes {@code [from, to)} of a rule; and three ways to find all matches of a row. */
public record Found(int from, int to, int rule) {

    private static final String ASCII_BOUNDARY =
            "(?:(?<=[0-9A-Za-z_])(?![0-9A-Za-z_])|(?<![0-9A-Za-z_])(?=[0-9A-Za-z_]))";
    private static final String NO_ASCII_BOUNDARY =
            "(?:(?<=[0-9A-Za-z_])(?=[0-9A-Za-z_])|(?<![0-9A-Za-z_])(?![0-9A-Za-z_]))";

    /** By walks of the automaton, as its Javadoc has them. */
    public static List<Found> byDfa(Dfa dfa, byte[] row) {
        List<Found> all = new ArrayList<>();
        int from = 0;
        while (from < row.length) {
            Found found = walk(dfa, row, from);
            if (found != null) {
                all.add(found);
            }
            from = found != null ? found.to : from + 1;
        }
        return all;
    }

    /** The match that starts at a place, or null. */
    static Found walk(Dfa dfa, byte[] row, int start) {
        Found found = null;
        int state = dfa.startStateAfter(start == 0 ? Dfa.NOTHING : row[start - 1] & 0xff);
        for (int at = start; at <= row.length; at++) {
            state = dfa.next(state, at < row.length ? dfa.classOf(row[at] & 0xff) : dfa.endClass());
            if (state < dfa.matchLimit()) {
                if (state == Dfa.DEAD) {
                    break;
                }
                found = new Found(start, at - dfa.backOff(state), dfa.rule(state));
                if (state < dfa.finalLimit()) {
                    break;
                }
            }
        }
        return found;
    }

    /** By the linear matcher, every match accepted. */
    public static List<Found> byLinearMatcher(LinearMatcher matcher, byte[] row) {
        List<Found> all = new ArrayList<>();
        matcher.reset(row, row.length);
        int from = 0;
        while (matcher.find(from)) {
            all.add(new Found(matcher.start(), matcher.end(), matcher.rule()));
            from = matcher.end();
        }
        return all;
    }

    /** By {@code java.util.regex}, with ASCII word boundaries on every JDK. */
    static List<Found> byJdk(Pattern alternation, String row) {
        List<Found> all = new ArrayList<>();
        Matcher matcher = alternation.matcher(row);
        while (matcher.find()) {
            int rule = 0;
            while (matcher.start("r" + rule) < 0) {
                rule++;
            }
            all.add(new Found(bytes(row, matcher.start()), bytes(row, matcher.end()), rule));
        }
        return all;
    }

    /** The pattern for {@link #byJdk}. */
    static Pattern jdkPattern(List<String> regexes) {
        StringBuilder alternation = new StringBuilder();
        for (int rule = 0; rule < regexes.size(); rule++) {
            String ascii =
                    regexes.get(rule)
                            .replace("\\b", ASCII_BOUNDARY)
                            .replace("\\B", NO_ASCII_BOUNDARY);
            alternation.append(rule == 0 ? "" : "|");
            alternation.append("(?<r").append(rule).append('>').append(ascii).append(')');
        }
        return Pattern.compile(alternation.toString());
    }

    private static int bytes(String row, int chars) {
        return row.substring(0, chars).getBytes(StandardCharsets.UTF_8).length;
    }
}
