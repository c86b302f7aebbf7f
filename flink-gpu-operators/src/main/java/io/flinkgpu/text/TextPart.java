package io.flinkgpu.text;

import io.flinkgpu.api.RuleSet;
import io.flinkgpu.text.automaton.GroupFinder;
import io.flinkgpu.text.automaton.LinearMatcher;

import java.util.function.Supplier;

/**
 * The matches of one part of a rule set in a row on the heap; none where it has no row. Walks find them, if it has
 * any; a row on which these would take too many steps is gone on with by the matcher that is linear on every row. Not
 * thread-safe.
 */
final class TextPart implements Matches {

    private final RulePart part;
    private final int sharers;

    /** Null where the linear matcher finds all. */
    private final TextWalk walk;

    /** Whether what a match of each of the part's rules replaces is a group of it, which walks do not tell. */
    private final boolean[] hasGroup;

    /** Of all parts; null where there are no walks. */
    private final GroupFinder groups;

    /** Of the last match, where its rule has a wider automaton, of which walks do not tell it. */
    private int end;

    /** Of the last match, if its rule has one, or a wider automaton. */
    private int groupStart;

    private int groupEnd;

    /** Made when a row first needs it. */
    private LinearMatcher matcher;

    private final Supplier<LinearMatcher> theMatcher = this::matcher;

    private byte[] row;
    private int length;
    private boolean isSet;

    /** Whether the linear matcher has the row. */
    private boolean inMatcher;

    /** Whether it finds what is left to be found. */
    private boolean byMatcher;

    private TextPart(
            RulePart part, int sharers, TextWalk walk, boolean[] hasGroup, GroupFinder groups) {
        this.part = part;
        this.sharers = sharers;
        this.walk = walk;
        this.hasGroup = hasGroup;
        this.groups = groups;
    }

    /**
     * @param sharers as {@link RulePart#newLinearMatcher} has it
     */
    static TextPart linear(RulePart part, int sharers) {
        return new TextPart(part, sharers, null, new boolean[0], null);
    }

    /** The same, with walks. */
    static TextPart walking(RulePart part, int sharers, RuleSet ruleSet, GroupFinder groups) {
        return new TextPart(part, sharers, new TextWalk(part), part.withGroup(ruleSet), groups);
    }

    /** Sets the row, in which bytes that are no UTF-8 are marked; it must not change until {@link #release}. */
    void reset(byte[] newRow, int newLength) {
        row = newRow;
        length = newLength;
        isSet = true;
        inMatcher = false;
        byMatcher = walk == null;
        if (byMatcher) {
            matcher();
        } else {
            walk.reset(row, length);
        }
    }

    /** Says that no match in the row starts before an offset. */
    void startNotBefore(int offset) {
        if (walk != null) {
            walk.startNotBefore(offset);
        }
    }

    /** Says that no match in the row starts after an offset. */
    void startNotAfter(int offset) {
        if (walk != null) {
            walk.startNotAfter(offset);
        }
    }

    boolean isSet() {
        return isSet;
    }

    /** Forgets the row. */
    void release() {
        isSet = false;
        row = null;
        if (inMatcher) {
            matcher.release();
            inMatcher = false;
        }
        if (walk != null) {
            walk.release();
        }
    }

    /** The matcher, with the row. */
    private LinearMatcher matcher() {
        if (!inMatcher) {
            if (matcher == null) {
                matcher = part.newLinearMatcher(sharers);
            }
            matcher.reset(row, length);
            inMatcher = true;
        }
        return matcher;
    }

    private void leaveToMatcher() {
        matcher();
        byMatcher = true;
    }

    @Override
    public boolean find(int from) {
        if (!isSet) {
            return false;
        }
        if (byMatcher) {
            return matcher.find(from);
        }
        boolean found = walk.find(from);
        if (part.isWider()) {
            found = found && findOwnMatch();
        } else if (found) {
            locateGroup();
        }
        if (found || !walk.isOverBudget()) {
            return found;
        }
        leaveToMatcher();
        return matcher.find(walk.start());
    }

    /** Whether the rule itself matches where its wider automaton does, or at a later such start. */
    private boolean findOwnMatch() {
        do {
            end = groups.findEnd(part.nfa(), row, length, 0, walk.start());
            walk.spend(groups.steps());
            if (end == GroupFinder.UNKNOWN || walk.isOverBudget()) {
                walk.giveUp();
                return false;
            }
            groupStart = groups.replacedStart();
            groupEnd = groups.replacedEnd();
        } while (end < 0 && walk.find(walk.start() + 1));
        return end >= 0;
    }

    @Override
    public boolean findLater() {
        if (byMatcher) {
            return matcher.findLater();
        }
        int before = walk.rule();
        if (walk.findLater()) {
            locateGroup();
            return true;
        }
        if (!walk.isOverBudget()) {
            return false;
        }
        leaveToMatcher();
        boolean found = matcher.find(walk.start());
        while (found && matcher.rule() <= before) {
            found = matcher.findLater();
        }
        return found;
    }

    /** Finds the group of a rule that has one. */
    private void locateGroup() {
        int rule = walk.rule();
        if (!hasGroup[rule]) {
            return;
        }
        groups.locate(part.nfa(), row, length, rule, walk.start(), walk.end(), theMatcher);
        groupStart = groups.replacedStart();
        groupEnd = groups.replacedEnd();
        walk.spend(groups.steps());
        if (walk.isOverBudget()) {
            leaveToMatcher();
            matcher.find(walk.start());
            while (matcher.rule() < rule) {
                matcher.findLater();
            }
        }
    }

    @Override
    public int start() {
        return byMatcher ? matcher.start() : walk.start();
    }

    @Override
    public int end() {
        if (byMatcher) {
            return matcher.end();
        }
        return part.isWider() ? end : walk.end();
    }

    @Override
    public int rule() {
        return part.rules()[byMatcher ? matcher.rule() : walk.rule()];
    }

    @Override
    public int replacedStart() {
        if (byMatcher) {
            return matcher.replacedStart();
        }
        return part.isWider() || hasGroup[walk.rule()] ? groupStart : walk.start();
    }

    @Override
    public int replacedEnd() {
        if (byMatcher) {
            return matcher.replacedEnd();
        }
        return part.isWider() || hasGroup[walk.rule()] ? groupEnd : walk.end();
    }
}
