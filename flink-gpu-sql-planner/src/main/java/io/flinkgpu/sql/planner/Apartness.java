package io.flinkgpu.sql.planner;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
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
    private static final int MAX_PAIRS = 20_000;

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
        int[] alike = alike(automaton, automaton);
        BitSet reached = new BitSet();
        for (int i = 0; i < text.length; i++) {
            BitSet next = new BitSet();
            for (int position = 0; position < automaton.positions(); position++) {
                boolean isStart = position == RuleAutomaton.START;
                if (i > 0) {
                    if (isStart || reached.get(position)) {
                        next.or(automaton.after(position, text[i - 1], text[i]));
                    }
                    continue;
                }
                BitSet befores = new BitSet();
                for (int before = 0; before < alphabet.size(); before++) {
                    if (isStart || automaton.reads(position).get(before)) {
                        befores.set(alike[before]);
                    }
                }
                for (int before = befores.nextSetBit(0);
                        before >= 0;
                        before = befores.nextSetBit(before + 1)) {
                    next.or(automaton.after(position, before, text[i]));
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
        int[] alike = alike(first, second);
        Set<Long> seen = new HashSet<>();
        ArrayDeque<Long> open = new ArrayDeque<>();
        for (int position = 0; position < (earlier ? first.positions() : 1); position++) {
            for (int before = 0; before < alphabet.size(); before++) {
                boolean isStart = earlier == (position != RuleAutomaton.START);
                if (isStart && (!earlier || first.reads(position).get(before))) {
                    add(position, RuleAutomaton.START, alike[before], seen, open);
                }
            }
        }
        while (!open.isEmpty()) {
            if (seen.size() > MAX_PAIRS) {
                return true;
            }
            // The newest first, which leads to ends of matches soon.
            long pair = open.removeLast();
            int before = (int) (pair & 0xffff);
            int one = (int) (pair >> 40);
            int other = (int) (pair >> 16 & 0xffffff);
            if (other != RuleAutomaton.START && oneEnds(first, one, second, other, before)) {
                return true;
            }
            for (RuleAutomaton.Edge a : first.edges(one)) {
                for (RuleAutomaton.Edge b : second.edges(other)) {
                    if (a.target() == RuleAutomaton.MATCH || b.target() == RuleAutomaton.MATCH) {
                        continue;
                    }
                    BitSet both = (BitSet) first.reads(a.target()).clone();
                    both.and(second.reads(b.target()));
                    for (int next = both.nextSetBit(0);
                            next >= 0;
                            next = both.nextSetBit(next + 1)) {
                        if (first.holds(a, before, next) && second.holds(b, before, next)) {
                            add(a.target(), b.target(), alike[next], seen, open);
                        }
                    }
                }
            }
        }
        return false;
    }

    /** Whether, behind what both have read, one can end while the other ends or goes on. */
    private boolean oneEnds(
            RuleAutomaton first, int one, RuleAutomaton second, int other, int before) {
        if (!first.mayEnd(one) && !second.mayEnd(other)) {
            return false;
        }
        for (int next = 0; next < alphabet.size(); next++) {
            boolean ends = first.matches(one, before, next);
            boolean otherEnds = second.matches(other, before, next);
            if (ends && otherEnds
                    || ends && !second.after(other, before, next).isEmpty()
                    || otherEnds && !first.after(one, before, next).isEmpty()) {
                return true;
            }
        }
        return false;
    }

    /** For each class one that both rules tell apart from the same others when they look behind. */
    private int[] alike(RuleAutomaton first, RuleAutomaton second) {
        Map<List<Boolean>, Integer> known = new HashMap<>();
        int[] alike = new int[alphabet.size()];
        for (int symbol = 0; symbol < alike.length; symbol++) {
            List<Boolean> seen = new ArrayList<>();
            if (first.asserts() || second.asserts()) {
                seen.add(symbol == Alphabet.EDGE);
                seen.add(alphabet.isWord(symbol));
                for (BitSet set : first.behind()) {
                    seen.add(set.get(symbol));
                }
                for (BitSet set : second.behind()) {
                    seen.add(set.get(symbol));
                }
            }
            Integer kind = known.putIfAbsent(seen, known.size());
            alike[symbol] = kind == null ? known.size() - 1 : kind;
        }
        // The first class of each kind stands for it.
        int[] representatives = new int[known.size()];
        for (int symbol = alike.length - 1; symbol >= 0; symbol--) {
            representatives[alike[symbol]] = symbol;
        }
        for (int symbol = 0; symbol < alike.length; symbol++) {
            alike[symbol] = representatives[alike[symbol]];
        }
        return alike;
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
            if (!earlier.automaton.mayEnd(position)) {
                continue;
            }
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
            if (!later.automaton.mayEnd(position)) {
                continue;
            }
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
