package io.flinkgpu.text.record;

import io.flinkgpu.text.CompiledRules;
import io.flinkgpu.text.RowJudge;
import io.flinkgpu.text.automaton.LinearMatcher;
import io.flinkgpu.text.automaton.UnknownBytes;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Finds what is replaced in the texts of a record, in time linear in them. Not thread-safe. */
final class RecordSearch {

    private final TextWalk walk;
    private final LinearMatcher matcher;
    private final RowJudge judge;
    private final boolean[] hasGroup;

    /** Whether the linear matcher has the text at hand. */
    private boolean inMatcher;

    /** What is replaced of the last match that a walk found. */
    private int replacedStart;

    private int replacedEnd;

    RecordSearch(CompiledRules rules) {
        walk = new TextWalk(rules);
        matcher = rules.newLinearMatcher();
        judge = new RowJudge(rules.ruleSet());
        hasGroup = new boolean[rules.ruleSet().size()];
        for (int rule = 0; rule < hasGroup.length; rule++) {
            hasGroup[rule] = !rules.ruleSet().rule(rule).group().isEmpty();
        }
    }

    /** The places in a record, in order and apart from each other. */
    List<Found> find(List<RecordText> texts) {
        List<Found> all = new ArrayList<>();
        for (RecordText text : texts) {
            find(text, all);
        }
        // Of the record itself first, as the sort is stable and what is first wins.
        all.sort(Comparator.comparingInt(Found::from));
        List<Found> merged = new ArrayList<>();
        for (Found found : all) {
            int last = merged.size() - 1;
            if (last >= 0 && found.from() < merged.get(last).to()) {
                merged.set(last, merged.get(last).and(found));
            } else {
                merged.add(found);
            }
        }
        return merged;
    }

    /** The matches of a text, in order: by walks, or where these take too long by the linear matcher. */
    private void find(RecordText text, List<Found> to) {
        byte[] marked = UnknownBytes.marked(text.bytes(), text.length());
        int before = to.size();
        if (!findByWalks(text, marked, to)) {
            to.subList(before, to.size()).clear();
            findLinearly(text, marked, to);
        }
        if (inMatcher) {
            matcher.release();
            inMatcher = false;
        }
    }

    /** Whether that came to an end. */
    private boolean findByWalks(RecordText text, byte[] marked, List<Found> to) {
        int from = 0;
        walk.reset(marked, text.length());
        judge.startRow();
        while (from < text.length() && walk.find(from)) {
            boolean replaced = isWalkReplaced(text, marked);
            while (!replaced && walk.findLater()) {
                replaced = isWalkReplaced(text, marked);
            }
            if (walk.isOverBudget()) {
                return false;
            }
            // No match starts inside a code point, so the next byte will do for the next one.
            from = walk.start() + 1;
            if (replaced) {
                to.add(Found.of(walk.rule(), text, replacedStart, replacedEnd));
                from = walk.end();
            }
        }
        return !walk.isOverBudget();
    }

    private boolean isWalkReplaced(RecordText text, byte[] marked) {
        int rule = walk.rule();
        replacedStart = walk.start();
        replacedEnd = walk.end();
        if (text.rules() != null && !text.rules()[rule]) {
            return false;
        }
        if (hasGroup[rule]) {
            if (!inMatcher) {
                matcher.reset(marked, text.length());
                inMatcher = true;
            }
            matcher.locate(rule, walk.start());
            walk.spend(walk.end() - walk.start());
            replacedStart = matcher.replacedStart();
            replacedEnd = matcher.replacedEnd();
        }
        return judge.replacesInRow(
                rule,
                text.bytes(),
                text.length(),
                walk.start(),
                walk.end(),
                replacedStart,
                replacedEnd,
                text.isPart());
    }

    private void findLinearly(RecordText text, byte[] marked, List<Found> to) {
        int from = 0;
        matcher.reset(marked, text.length());
        inMatcher = true;
        judge.startRow();
        while (from < text.length() && matcher.find(from)) {
            boolean replaced = isReplaced(text);
            while (!replaced && matcher.findLater()) {
                replaced = isReplaced(text);
            }
            from = matcher.start() + 1;
            if (replaced) {
                to.add(
                        Found.of(
                                matcher.rule(),
                                text,
                                matcher.replacedStart(),
                                matcher.replacedEnd()));
                from = matcher.end();
            }
        }
    }

    private boolean isReplaced(RecordText text) {
        boolean applies = text.rules() == null || text.rules()[matcher.rule()];
        return applies
                && judge.replacesInRow(
                        matcher.rule(),
                        text.bytes(),
                        text.length(),
                        matcher.start(),
                        matcher.end(),
                        matcher.replacedStart(),
                        matcher.replacedEnd(),
                        text.isPart());
    }
}
