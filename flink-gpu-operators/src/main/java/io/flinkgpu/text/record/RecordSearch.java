package io.flinkgpu.text.record;

import io.flinkgpu.text.CompiledRules;
import io.flinkgpu.text.LinearMatches;
import io.flinkgpu.text.RowJudge;
import io.flinkgpu.text.automaton.UnknownBytes;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Finds what is replaced in the texts of a record, in time linear in them. Not thread-safe. */
final class RecordSearch {

    private final LinearMatches matches;
    private final RowJudge judge;

    RecordSearch(CompiledRules rules) {
        matches = rules.newMatches();
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

    /** The matches of a text, in order. */
    private void find(RecordText text, List<Found> to) {
        int from = 0;
        matches.reset(UnknownBytes.marked(text.bytes(), text.length()), text.length());
        judge.startRow();
        while (from < text.length() && matches.find(from)) {
            boolean replaced = isReplaced(text);
            while (!replaced && matches.findLater()) {
                replaced = isReplaced(text);
            }
            // No match starts inside a code point, so the next byte will do for the next one.
            from = matches.start() + 1;
            if (replaced) {
                to.add(
                        Found.of(
                                matches.rule(),
                                text,
                                matches.replacedStart(),
                                matches.replacedEnd()));
                from = matches.end();
            }
        }
        matches.release();
    }

    private boolean isReplaced(RecordText text) {
        boolean applies = text.rules() == null || text.rules()[matches.rule()];
        return applies
                && judge.replacesInRow(
                        matches.rule(),
                        text.bytes(),
                        text.length(),
                        matches.start(),
                        matches.end(),
                        matches.replacedStart(),
                        matches.replacedEnd(),
                        text.isPart());
    }
}
