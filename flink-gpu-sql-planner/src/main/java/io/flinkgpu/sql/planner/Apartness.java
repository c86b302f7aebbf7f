package io.flinkgpu.sql.planner;

import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.HashSet;
import java.util.Set;

/**
 * Whether rules of a chain of replacements can be tried at once: one scan of the text as it came, the earlier rule
 * preferred where two match at one place, then gives what scans one after another give. It may say no where they can,
 * and never yes where they cannot.
 *
 * <p>For an earlier rule E with its text and a later rule L that has to hold:
 *
 * <ul>
 *   <li>no match of L can start before one of E and overlap it, or the scan would miss that of E;
 *   <li>no match of L can overlap E's text, whatever is around it;
 *   <li>where a match of L can touch one of E, its assertions must not tell E's match from E's text.
 * </ul>
 *
 * What rules match is what they may match by any of their ways, so preferences do not count.
 */
final class Apartness {

    /** The most pairs of positions that are looked at for two rules. */
    private static final int MAX_PAIRS = 100_000;

    private final Alphabet alphabet;

    Apartness(Alphabet alphabet) {
        this.alphabet = alphabet;
    }

    /** A rule: what it matches, and the text that it puts in, of at least one character. */
    record Replacing(RuleAutomaton automaton, int[] text) {}

    /** Whether a later rule can be tried together with an earlier one. */
    boolean isApart(Replacing earlier, Replacing later) {
        return !later.automaton.isVague()
                && !reads(later.automaton, earlier.text)
                && !canOverlap(later.automaton, earlier.automaton, true)
                && (!later.automaton.asserts()
                        || looksAlikeBehind(earlier, later) && looksAlikeAhead(earlier, later));
    }

    /** Whether the order of two rules does not matter. */
    boolean commute(Replacing one, Replacing other) {
        return isApart(one, other)
                && isApart(other, one)
                && !canOverlap(one.automaton, other.automaton, false);
    }

    /** Whether a match can have a part of a text, whatever is around that. */
    private boolean reads(RuleAutomaton automaton, int[] text) {
        // The positions that may have been reached in front of the text: any, with any of what they
        // read.
        BitSet reached = new BitSet();
        for (int i = 0; i < text.length; i++) {
            BitSet next = new BitSet();
            boolean first = i == 0;
            for (int position = 0; position < automaton.positions(); position++) {
                if (!first && position != RuleAutomaton.START && !reached.get(position)) {
                    continue;
                }
                if (!first) {
                    next.or(automaton.after(position, text[i - 1], text[i]));
                    continue;
                }
                for (int before = 0; before < alphabet.size(); before++) {
                    if (position == RuleAutomaton.START || automaton.reads(position).get(before)) {
                        next.or(automaton.after(position, before, text[i]));
                    }
                }
            }
            reached = next;
            int last = text[i];
            for (int position = reached.nextSetBit(0);
                    position >= 0;
                    position = reached.nextSetBit(position + 1)) {
                for (int after = 0; after < alphabet.size(); after++) {
                    if ((i == text.length - 1 || after == text[i + 1])
                            && automaton.matches(position, last, after)) {
                        return true;
                    }
                }
            }
        }
        return !reached.isEmpty();
    }

    /**
     * Whether matches of two can overlap.
     *
     * @param earlier whether the first of them has to start before the second; else at the same place
     */
    private boolean canOverlap(RuleAutomaton first, RuleAutomaton second, boolean earlier) {
        Set<Long> seen = new HashSet<>();
        ArrayDeque<Long> open = new ArrayDeque<>();
        if (earlier) {
            for (int position = 1; position < first.positions(); position++) {
                BitSet reads = first.reads(position);
                for (int before = reads.nextSetBit(0);
                        before >= 0;
                        before = reads.nextSetBit(before + 1)) {
                    add(position, RuleAutomaton.START, before, seen, open);
                }
            }
        } else {
            for (int before = 0; before < alphabet.size(); before++) {
                add(RuleAutomaton.START, RuleAutomaton.START, before, seen, open);
            }
        }
        while (!open.isEmpty()) {
            if (seen.size() > MAX_PAIRS) {
                return true;
            }
            long pair = open.remove();
            int before = (int) (pair & 0xffff);
            int one = (int) (pair >> 40);
            int other = (int) (pair >> 16 & 0xffffff);
            // Behind what both have read, one may end while the other ends or goes on.
            boolean overlaps = other != RuleAutomaton.START;
            for (int next = 0; next < alphabet.size(); next++) {
                BitSet ones = first.after(one, before, next);
                BitSet others = second.after(other, before, next);
                if (overlaps) {
                    boolean oneEnds = first.matches(one, before, next);
                    boolean otherEnds = second.matches(other, before, next);
                    if (oneEnds && (otherEnds || !others.isEmpty())
                            || otherEnds && !ones.isEmpty()) {
                        return true;
                    }
                }
                if (next == Alphabet.EDGE || others.isEmpty()) {
                    continue;
                }
                for (int a = ones.nextSetBit(0); a >= 0; a = ones.nextSetBit(a + 1)) {
                    for (int b = others.nextSetBit(0); b >= 0; b = others.nextSetBit(b + 1)) {
                        add(a, b, next, seen, open);
                    }
                }
            }
        }
        return false;
    }

    private static void add(int one, int other, int before, Set<Long> seen, ArrayDeque<Long> open) {
        long pair = (long) one << 40 | (long) other << 16 | before;
        if (seen.add(pair)) {
            open.add(pair);
        }
    }

    /** Whether a later match right behind an earlier one begins alike behind the text that takes its place. */
    private boolean looksAlikeBehind(Replacing earlier, Replacing later) {
        int last = earlier.text[earlier.text.length - 1];
        for (int position = 1; position < earlier.automaton.positions(); position++) {
            BitSet reads = earlier.automaton.reads(position);
            for (int before = reads.nextSetBit(0);
                    before >= 0;
                    before = reads.nextSetBit(before + 1)) {
                for (int next = 1; next < alphabet.size(); next++) {
                    if (earlier.automaton.matches(position, before, next)
                            && !later.automaton
                                    .after(RuleAutomaton.START, before, next)
                                    .equals(
                                            later.automaton.after(
                                                    RuleAutomaton.START, last, next))) {
                        return false;
                    }
                }
            }
        }
        return true;
    }

    /** Whether a later match right in front of an earlier one ends alike in front of the text that takes its place. */
    private boolean looksAlikeAhead(Replacing earlier, Replacing later) {
        int first = earlier.text[0];
        for (int position = 1; position < later.automaton.positions(); position++) {
            BitSet reads = later.automaton.reads(position);
            for (int before = reads.nextSetBit(0);
                    before >= 0;
                    before = reads.nextSetBit(before + 1)) {
                for (int next = 1; next < alphabet.size(); next++) {
                    if (!earlier.automaton.after(RuleAutomaton.START, before, next).isEmpty()
                            && later.automaton.matches(position, before, next)
                                    != later.automaton.matches(position, before, first)) {
                        return false;
                    }
                }
            }
        }
        return true;
    }
}
