package io.flinkgpu.backend.cpu.redact;

import io.flinkgpu.api.RuleSet;
import io.flinkgpu.text.LinearMatches;
import io.flinkgpu.text.Matches;
import io.flinkgpu.text.RulePart;
import io.flinkgpu.text.automaton.Cancellation;
import io.flinkgpu.text.automaton.GroupFinder;
import io.flinkgpu.text.automaton.LinearMatcher;
import io.flinkgpu.text.automaton.LiteralIndex;
import io.flinkgpu.text.automaton.Literals;
import io.flinkgpu.text.automaton.Nfa;

import org.apache.arrow.memory.util.MemoryUtil;

import java.util.Arrays;
import java.util.List;

/**
 * The matches of rules that all hold a text, in a row of off-heap bytes. One pass over the row finds the texts; each
 * of their rules is tried from where a match with that text can start. Not thread-safe.
 */
final class LiteralMatches implements Matches {

    /** What longer rows needed is given back. */
    private static final int KEPT_FACTS = 1 << 14;

    /** A row with more matches is left to the matcher that keeps none. */
    private static final int MOST_FACTS = 1 << 18;

    private final LiteralIndex index;
    private final List<RulePart> parts;
    private final RivalWalk[] walks;
    private final LinearMatcher[] linears;
    private final GroupFinder groups = new GroupFinder();
    private final boolean[] hasGroup;

    private long base;
    private int rowStart;
    private int rowEnd;
    private byte[] row;

    /** The number of the row, from 1 on, and the last row of which each rule has been tried. */
    private long rowNumber;

    private final long[] rowOf;

    /** Where each rule is to be tried next in the row at hand, and the steps that it has left there. */
    private final int[] nextStart;

    private final long[] stepsLeft;
    private int[] withRow = new int[4];
    private int withRowCount;
    private long stepsToCheck;
    private boolean isHard;

    /** Has the row if it has too many matches; else null. */
    private LinearMatches linearMatches;

    /** The matches of the row, ordered once all are there. */
    private Fact[] facts = new Fact[16];

    private int count;
    private int at;
    private Fact fact;

    /** One match of a rule. */
    private record Fact(int rule, int start, int end, int replacedStart, int replacedEnd)
            implements Comparable<Fact> {

        @Override
        public int compareTo(Fact other) {
            int byStart = Integer.compare(start, other.start);
            return byStart != 0 ? byStart : Integer.compare(rule, other.rule);
        }
    }

    /**
     * @param parts of one rule each, numbered as in the index
     */
    LiteralMatches(LiteralIndex index, List<RulePart> parts, RuleSet ruleSet) {
        this.index = index;
        this.parts = parts;
        this.walks = new RivalWalk[parts.size()];
        this.linears = new LinearMatcher[parts.size()];
        this.hasGroup = new boolean[parts.size()];
        this.rowOf = new long[parts.size()];
        this.nextStart = new int[parts.size()];
        this.stepsLeft = new long[parts.size()];
        for (int part = 0; part < walks.length; part++) {
            walks[part] = new RivalWalk(parts.get(part).dfa());
            hasGroup[part] = parts.get(part).withGroup(ruleSet)[0];
        }
    }

    /**
     * Takes on the row of bytes at {@code base + from} to {@code base + end}; offsets count as these do.
     *
     * @param readableEnd up to where bytes may be read
     */
    void startRow(long newBase, int from, int end, int readableEnd) {
        base = newBase;
        rowStart = from;
        rowEnd = end;
        rowNumber++;
        isHard = false;
        count = 0;
        at = -1;
        stepsToCheck = Cancellation.INTERVAL;
        final LiteralIndex index = this.index;
        int last = end - 3;
        int lastOfEight = Math.min(last, readableEnd - Long.BYTES);
        int i = from;
        for (; i <= lastOfEight; i++) {
            if (index.mayStart(MemoryUtil.getInt(newBase + i))) {
                tryEntries(i, MemoryUtil.getLong(newBase + i));
            }
        }
        for (; i <= last; i++) {
            long eight = 0;
            for (int k = Math.min(end, i + Long.BYTES) - 1; k >= i; k--) {
                eight = eight << 8 | MemoryUtil.getByte(newBase + k) & 0xff;
            }
            if (index.mayStart((int) eight)) {
                tryEntries(i, eight);
            }
        }
        if (linearMatches == null && count > MOST_FACTS) {
            leaveToLinear();
        }
        if (linearMatches == null && count > 1) {
            Arrays.sort(facts, 0, count);
        }
    }

    /** Lets go of the row. */
    void endRow() {
        for (int i = 0; i < withRowCount; i++) {
            linears[withRow[i]].release();
        }
        withRowCount = 0;
        row = null;
        fact = null;
        linearMatches = null;
        if (facts.length > KEPT_FACTS) {
            facts = new Fact[16];
        }
    }

    /** Whether a rule took too many steps on the row. */
    boolean isHard() {
        return isHard;
    }

    private void tryEntries(int textStart, long eight) {
        for (int e = index.first(eight); e >= 0; e = index.next(e, eight)) {
            if (index.isAt(e, eight, rowEnd - textStart)) {
                for (int rule : index.rules(e)) {
                    tryRule(rule, textStart);
                }
            }
        }
    }

    /** Tries a rule from every start from which a match can have its text at an offset. */
    private void tryRule(int rule, int textStart) {
        if (count > MOST_FACTS) {
            if (linearMatches == null) {
                leaveToLinear();
            }
            return;
        }
        if (rowOf[rule] != rowNumber) {
            rowOf[rule] = rowNumber;
            nextStart[rule] = rowStart;
            stepsLeft[rule] =
                    Scanner.FREE_STEPS + (long) Scanner.STEPS_PER_BYTE * (rowEnd - rowStart);
        }
        int lead = index.maxLead(rule);
        int first = lead == Literals.UNBOUNDED ? rowStart : textStart - lead;
        int last = textStart - index.minLead(rule);
        RivalWalk walk = walks[rule];
        for (int start = Math.max(first, nextStart[rule]); start <= last; start++) {
            boolean matches = walk.matches(base, rowStart, rowEnd, start);
            spend(rule, walk.steps());
            if (stepsLeft[rule] < 0 || matches && !addMatch(rule, start, walk.end())) {
                findTheRest(rule, start);
                return;
            }
        }
        nextStart[rule] = Math.max(nextStart[rule], last + 1);
    }

    private void spend(int rule, long steps) {
        stepsLeft[rule] -= steps;
        stepsToCheck -= steps;
        if (stepsToCheck < 0) {
            Cancellation.check();
            stepsToCheck = Cancellation.INTERVAL;
        }
    }

    /** Adds the match that a walk has found; false if it takes too many steps to tell whether it is the rule's. */
    private boolean addMatch(int rule, int start, int end) {
        if (parts.get(rule).isWider()) {
            return addOwnMatch(rule, start);
        }
        if (hasGroup[rule]) {
            addWithGroup(rule, start, end);
        } else {
            add(new Fact(parts.get(rule).rules()[0], start, end, start, end));
        }
        return true;
    }

    /** Adds the match that a rule has at a start, if it has one; false if that takes too many steps to tell. */
    private boolean addOwnMatch(int rule, int start) {
        readRow();
        int end = groups.findEnd(parts.get(rule).nfa(), row, row.length, 0, start - rowStart);
        spend(rule, groups.steps());
        if (end >= 0) {
            add(found(rule, start, rowStart + end));
        }
        return end != GroupFinder.UNKNOWN;
    }

    private void addWithGroup(int rule, int start, int end) {
        readRow();
        Nfa nfa = parts.get(rule).nfa();
        groups.locate(
                nfa, row, row.length, 0, start - rowStart, end - rowStart, () -> linear(rule));
        add(found(rule, start, end));
        spend(rule, groups.steps());
    }

    private Fact found(int rule, int start, int end) {
        return new Fact(
                parts.get(rule).rules()[0],
                start,
                end,
                rowStart + groups.replacedStart(),
                rowStart + groups.replacedEnd());
    }

    /** Finds the matches of a rule from an offset on with the matcher that is linear on every row. */
    private void findTheRest(int rule, int start) {
        isHard = true;
        nextStart[rule] = rowEnd;
        LinearMatcher linear = linear(rule);
        int from = start - rowStart;
        while (count <= MOST_FACTS && linear.find(from)) {
            add(rule, linear);
            from = linear.start() + 1;
        }
        release(rule);
    }

    /** Gives back what the rule's matcher holds of the row: it is not asked again. */
    private void release(int rule) {
        linears[rule].release();
        for (int i = 0; i < withRowCount; i++) {
            if (withRow[i] == rule) {
                withRow[i] = withRow[--withRowCount];
                return;
            }
        }
    }

    private LinearMatcher linear(int rule) {
        readRow();
        if (linears[rule] == null) {
            linears[rule] = parts.get(rule).newLinearMatcher(parts.size());
        }
        for (int i = 0; i < withRowCount; i++) {
            if (withRow[i] == rule) {
                return linears[rule];
            }
        }
        if (withRowCount == withRow.length) {
            withRow = Arrays.copyOf(withRow, 2 * withRowCount);
        }
        withRow[withRowCount++] = rule;
        linears[rule].reset(row, row.length);
        return linears[rule];
    }

    private void add(int rule, LinearMatcher linear) {
        add(
                new Fact(
                        parts.get(rule).rules()[0],
                        rowStart + linear.start(),
                        rowStart + linear.end(),
                        rowStart + linear.replacedStart(),
                        rowStart + linear.replacedEnd()));
    }

    private void add(Fact found) {
        if (count == facts.length) {
            facts = Arrays.copyOf(facts, 2 * count);
        }
        facts[count++] = found;
    }

    /** Finds all matches of the row anew, one after the other. */
    private void leaveToLinear() {
        isHard = true;
        readRow();
        linearMatches = LinearMatches.ofMatchers(parts, index);
        linearMatches.reset(row, row.length);
    }

    private void readRow() {
        if (row == null) {
            row = new byte[rowEnd - rowStart];
            MemoryUtil.copyFromMemory(base + rowStart, row, 0, row.length);
        }
    }

    @Override
    public boolean find(int from) {
        if (linearMatches != null) {
            return linearMatches.find(from - rowStart) && describeLinear();
        }
        do {
            at++;
        } while (at < count && facts[at].start < from);
        fact = at < count ? facts[at] : null;
        return fact != null;
    }

    @Override
    public boolean findLater() {
        if (linearMatches != null) {
            return linearMatches.findLater() && describeLinear();
        }
        if (at + 1 == count || facts[at + 1].start != fact.start) {
            return false;
        }
        fact = facts[++at];
        return true;
    }

    private boolean describeLinear() {
        fact =
                new Fact(
                        linearMatches.rule(),
                        rowStart + linearMatches.start(),
                        rowStart + linearMatches.end(),
                        rowStart + linearMatches.replacedStart(),
                        rowStart + linearMatches.replacedEnd());
        return true;
    }

    @Override
    public int start() {
        return fact.start;
    }

    @Override
    public int end() {
        return fact.end;
    }

    @Override
    public int rule() {
        return fact.rule;
    }

    @Override
    public int replacedStart() {
        return fact.replacedStart;
    }

    @Override
    public int replacedEnd() {
        return fact.replacedEnd;
    }
}
