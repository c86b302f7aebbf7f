package io.flinkgpu.testkit;

import io.flinkgpu.api.RuleSet;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds the matches of several patterns in a text; the earlier pattern comes first. */
final class MatchFinder implements OracleRedactor.Finder {

    private final CharSequence text;
    private final Matcher[] matchers;
    private final boolean[] exhausted;
    private int rule;

    private MatchFinder(List<Pattern> patterns, CharSequence text) {
        this.text = text;
        this.matchers = new Matcher[patterns.size()];
        this.exhausted = new boolean[patterns.size()];
        for (int i = 0; i < matchers.length; i++) {
            matchers[i] = patterns.get(i).matcher(text);
            matchers[i].useTransparentBounds(true).useAnchoringBounds(false);
            search(i, 0);
        }
    }

    static OracleRedactor.FinderFactory factory(RuleSet rules) {
        List<Pattern> patterns =
                rules.rules().stream().map(r -> OracleRedactor.compile(r.regex())).toList();
        return text -> new MatchFinder(patterns, text);
    }

    @Override
    public boolean find(int at, int firstRule) {
        for (rule = firstRule; rule < matchers.length; rule++) {
            // A match found from further left is still the leftmost if it does not start before.
            if (!exhausted[rule] && matchers[rule].start() < at) {
                search(rule, at);
            }
            if (!exhausted[rule] && matchers[rule].start() == at) {
                return true;
            }
        }
        return false;
    }

    @Override
    public int rule() {
        return rule;
    }

    @Override
    public int end() {
        return matchers[rule].end();
    }

    @Override
    public int groupStart(String group) {
        if (group.equals("*")) {
            int first = firstGroup(matchers[rule], 1, matchers[rule].groupCount());
            return first == 0 ? -1 : matchers[rule].start(first);
        }
        return Character.isDigit(group.charAt(0))
                ? matchers[rule].start(Integer.parseInt(group))
                : matchers[rule].start(OracleRedactor.nameInJava(group));
    }

    @Override
    public int groupEnd(String group) {
        if (group.equals("*")) {
            int first = firstGroup(matchers[rule], 1, matchers[rule].groupCount());
            return first == 0 ? -1 : matchers[rule].end(first);
        }
        return Character.isDigit(group.charAt(0))
                ? matchers[rule].end(Integer.parseInt(group))
                : matchers[rule].end(OracleRedactor.nameInJava(group));
    }

    /** The first group of some that takes part and is not empty; 0 if none does. */
    static int firstGroup(Matcher matcher, int from, int last) {
        for (int group = from; group <= last; group++) {
            if (matcher.start(group) < matcher.end(group)) {
                return group;
            }
        }
        return 0;
    }

    private void search(int i, int from) {
        // Not find(int), which resets the region.
        boolean found = matchers[i].region(from, text.length()).find();
        // JDK 17 finds \B. within the surrogate pair of "K\ud83d\ude00"; matches start at code
        // points.
        while (found && isInPair(matchers[i].start())) {
            found = matchers[i].region(matchers[i].start() + 1, text.length()).find();
        }
        exhausted[i] = !found;
    }

    private boolean isInPair(int at) {
        return at > 0 && Character.isSurrogatePair(text.charAt(at - 1), text.charAt(at));
    }
}
