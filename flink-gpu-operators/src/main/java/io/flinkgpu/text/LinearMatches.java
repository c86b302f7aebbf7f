package io.flinkgpu.text;

import io.flinkgpu.api.RuleSet;
import io.flinkgpu.text.automaton.GroupFinder;
import io.flinkgpu.text.automaton.LiteralIndex;

import org.apache.flink.annotation.Internal;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;

/**
 * Finds the matches of a rule set in time linear in the row, whatever the row. Parts of the set of which a row
 * lacks the texts are not looked for. Not thread-safe.
 */
@Internal
public final class LinearMatches implements Matches {

    private final List<TextPart> parts;
    private final MergedMatches merged;
    private final LiteralIndex literals;
    private final int firstWithLiterals;

    /** The only part with matches, or all of them. */
    private final Matches matches;

    /** The parts that have the row. */
    private final int[] withRow;

    private int withRowCount;

    private LinearMatches(List<TextPart> parts, LiteralIndex literals) {
        this.parts = parts;
        this.literals = literals;
        this.firstWithLiterals = literals == null ? parts.size() : parts.size() - literals.rules();
        this.merged = new MergedMatches(parts);
        this.matches = parts.size() == 1 && literals == null ? parts.get(0) : merged;
        this.withRow = new int[parts.size()];
    }

    /**
     * By the linear matcher alone.
     *
     * @param literals the texts of the last parts; null if none has any
     */
    public static LinearMatches ofMatchers(List<RulePart> parts, LiteralIndex literals) {
        return new LinearMatches(textParts(parts, literals, TextPart::linear), literals);
    }

    /** By walks first: see {@link CompiledRules#newMatches()}. */
    static LinearMatches ofWalks(List<RulePart> parts, LiteralIndex literals, RuleSet ruleSet) {
        GroupFinder groups = new GroupFinder();
        return new LinearMatches(
                textParts(
                        parts,
                        literals,
                        (part, sharers) -> TextPart.walking(part, sharers, ruleSet, groups)),
                literals);
    }

    /** Parts of a kind share memory: there may be many with texts, and few large ones without. */
    private static List<TextPart> textParts(
            List<RulePart> parts,
            LiteralIndex literals,
            BiFunction<RulePart, Integer, TextPart> make) {
        int withTexts = literals == null ? 0 : literals.rules();
        int first = parts.size() - withTexts;
        List<TextPart> made = new ArrayList<>();
        for (int part = 0; part < parts.size(); part++) {
            made.add(make.apply(parts.get(part), part < first ? first : withTexts));
        }
        return made;
    }

    /** Sets the row to scan; it must not change until the next call, or {@link #release}. */
    public void reset(byte[] row, int length) {
        release();
        for (int part = 0; part < firstWithLiterals; part++) {
            reset(part, row, length);
        }
        if (literals != null) {
            resetThoseWithLiterals(row, length);
        }
        merged.startRow(withRow, withRowCount);
    }

    private void reset(int part, byte[] row, int length) {
        // First, so that release() clears a part whose reset() fails half done.
        withRow[withRowCount++] = part;
        parts.get(part).reset(row, length);
    }

    private void resetThoseWithLiterals(byte[] row, int length) {
        long eight = 0;
        for (int at = length - 1; at >= 0; at--) {
            eight = eight << 8 | row[at] & 0xff;
            if (literals.mayStart((int) eight)) {
                for (int e = literals.first(eight); e >= 0; e = literals.next(e, eight)) {
                    if (literals.isAt(e, eight, length - at)) {
                        for (int rule : literals.rules(e)) {
                            int part = firstWithLiterals + rule;
                            if (!parts.get(part).isSet()) {
                                reset(part, row, length);
                                parts.get(part).startNotAfter(at - literals.minLead(rule));
                            }
                            parts.get(part).startNotBefore(at - literals.maxLead(rule));
                        }
                    }
                }
            }
        }
    }

    /** Forgets the row, and gives back the memory that a long one needed. */
    public void release() {
        for (int i = 0; i < withRowCount; i++) {
            parts.get(withRow[i]).release();
        }
        withRowCount = 0;
    }

    @Override
    public boolean find(int from) {
        return matches.find(from);
    }

    @Override
    public boolean findLater() {
        return matches.findLater();
    }

    @Override
    public int start() {
        return matches.start();
    }

    @Override
    public int end() {
        return matches.end();
    }

    @Override
    public int rule() {
        return matches.rule();
    }

    @Override
    public int replacedStart() {
        return matches.replacedStart();
    }

    @Override
    public int replacedEnd() {
        return matches.replacedEnd();
    }
}
