package io.flinkgpu.oracle;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds the leftmost match of several patterns in a stretch; the earlier pattern wins a tie. */
final class MatchFinder {

    private final Utf8Row.Stretch stretch;
    private final Matcher[] matchers;
    private final boolean[] exhausted;
    private int rule;

    MatchFinder(List<Pattern> patterns, CharSequence text, Utf8Row.Stretch stretch) {
        this.stretch = stretch;
        this.matchers = new Matcher[patterns.size()];
        this.exhausted = new boolean[patterns.size()];
        for (int i = 0; i < matchers.length; i++) {
            matchers[i] = patterns.get(i).matcher(text);
            matchers[i].useTransparentBounds(true).useAnchoringBounds(false);
            search(i, stretch.from());
        }
    }

    /** Finds the leftmost match at a char or behind it; no call may go back. */
    boolean find(int from) {
        rule = -1;
        for (int i = 0; i < matchers.length; i++) {
            // A match found from further left is still the leftmost if it does not start before.
            if (!exhausted[i] && matchers[i].start() < from) {
                search(i, from);
            }
            if (!exhausted[i] && (rule < 0 || matchers[i].start() < matchers[rule].start())) {
                rule = i;
            }
        }
        return rule >= 0;
    }

    int rule() {
        return rule;
    }

    int start() {
        return matchers[rule].start();
    }

    int end() {
        return matchers[rule].end();
    }

    private void search(int i, int from) {
        // Not find(int), which resets the region.
        exhausted[i] = !matchers[i].region(from, stretch.to()).find();
    }
}
