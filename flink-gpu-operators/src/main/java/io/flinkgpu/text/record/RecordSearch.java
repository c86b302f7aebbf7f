package io.flinkgpu.text.record;

import io.flinkgpu.text.CompiledRules;
import io.flinkgpu.text.RowJudge;
import io.flinkgpu.text.automaton.LinearMatcher;
import io.flinkgpu.text.automaton.UnknownBytes;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Finds what is replaced in the texts of a record, with the linear matcher. Not thread-safe. */
final class RecordSearch {

    private final LinearMatcher matcher;
    private final RowJudge judge;

    RecordSearch(CompiledRules rules) {
        matcher = rules.newLinearMatcher();
        judge = new RowJudge(rules.ruleSet());
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

    private void find(RecordText text, List<Found> to) {
        byte[] bytes = text.bytes();
        int length = text.length();
        int from = 0;
        matcher.reset(UnknownBytes.marked(bytes, length), length);
        judge.startRow();
        while (from < length && matcher.find(from)) {
            boolean replaced = isReplaced(text);
            while (!replaced && matcher.findLater()) {
                replaced = isReplaced(text);
            }
            // No match starts inside a code point, so the next byte will do for the next one.
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
        matcher.release();
    }

    private boolean isReplaced(RecordText text) {
        boolean applies = text.rules() == null || text.rules()[matcher.rule()];
        return applies && judge.replaces(matcher, text.bytes());
    }
}
