package io.flinkgpu.backend.cpu.redact;

import io.flinkgpu.api.RuleSet;
import io.flinkgpu.column.TextView;
import io.flinkgpu.text.Matches;
import io.flinkgpu.text.RulePart;
import io.flinkgpu.text.automaton.GroupFinder;
import io.flinkgpu.text.automaton.LinearMatcher;
import io.flinkgpu.text.automaton.Nfa;
import io.flinkgpu.text.automaton.Prefilter;

import org.apache.arrow.memory.util.MemoryUtil;

import java.util.function.Supplier;

/**
 * The matches of one automaton in a row of off-heap bytes, found by walking it from each start; a row on which that
 * would take too many steps is gone on with by the matcher that is linear on every row. Not thread-safe.
 */
final class PartMatches implements Matches {

    private static final int NO_PREFILTER = -1;

    private final int[] rules;
    private final boolean[] hasGroup;
    private final Scanner allRules;
    private final Scanner otherRules;
    private final int requiredByte;
    private final Nfa nfa;
    private final LinearMatcher linear;
    private final GroupFinder groups = new GroupFinder();
    private final Supplier<LinearMatcher> linearWithRow = this::linearWithRow;

    private ByteFinder requiredBytes;
    private Scanner scanner;
    private long base;
    private int rowStart;
    private int rowEnd;

    /** Of the last match, if its rule has one. */
    private int groupStart;

    private int groupEnd;

    /** The row on the heap, once that is needed. */
    private byte[] row;

    /** Whether the linear matcher has it. */
    private boolean linearHasRow;

    /** Whether the scanner has given the row up. */
    private boolean isHard;

    /**
     * @param sharers as {@link RulePart#newLinearMatcher} has it
     */
    PartMatches(RulePart part, int sharers, RuleSet ruleSet) {
        this.rules = part.rules();
        this.allRules = new Scanner(part.dfa(), part.rivals());
        Prefilter prefilter = part.prefilter();
        this.otherRules =
                prefilter == null ? allRules : new Scanner(prefilter.dfaWithoutIt(), part.rivals());
        this.requiredByte = prefilter == null ? NO_PREFILTER : prefilter.requiredByte();
        this.nfa = part.nfa();
        this.linear = part.newLinearMatcher(sharers);
        this.hasGroup = part.withGroup(ruleSet);
    }

    /** Takes on a column, of which rows will come in ascending order. */
    void startBatch(TextView text) {
        requiredBytes =
                requiredByte == NO_PREFILTER
                        ? null
                        : new ByteFinder(requiredByte, text.dataAddress(), text.dataBytes());
    }

    /** Takes on the row of bytes at {@code base + from} to {@code base + end}; offsets count as these do. */
    void startRow(long newBase, int from, int end) {
        base = newBase;
        rowStart = from;
        rowEnd = end;
        isHard = false;
        scanner =
                requiredBytes == null || requiredBytes.occursIn(from, end) ? allRules : otherRules;
        scanner.startRow(newBase, from, end);
    }

    /** Lets go of the row. */
    void endRow() {
        row = null;
        if (linearHasRow) {
            linear.release();
            linearHasRow = false;
        }
    }

    /** Whether the row took too many steps. */
    boolean isHard() {
        return isHard;
    }

    @Override
    public boolean find(int from) {
        if (!isHard && scanner.find(from)) {
            locateGroup();
            return true;
        }
        if (!isHard) {
            if (!scanner.isOverBudget()) {
                return false;
            }
            giveUp();
            return linear.find(scanner.start() - rowStart);
        }
        return linear.find(from - rowStart);
    }

    @Override
    public boolean findLater() {
        if (isHard) {
            return linear.findLater();
        }
        int before = scanner.rule();
        if (scanner.findRival()) {
            locateGroup();
            return true;
        }
        if (!scanner.isOverBudget()) {
            return false;
        }
        giveUp();
        linear.find(scanner.start() - rowStart);
        boolean found = true;
        while (found && linear.rule() <= before) {
            found = linear.findLater();
        }
        return found;
    }

    /** Finds the group of a rule that has one. */
    private void locateGroup() {
        int rule = scanner.rule();
        if (!hasGroup[rule]) {
            return;
        }
        readRow();
        int start = scanner.start() - rowStart;
        int end = scanner.end() - rowStart;
        groups.locate(nfa, row, row.length, rule, start, end, linearWithRow);
        groupStart = rowStart + groups.replacedStart();
        groupEnd = rowStart + groups.replacedEnd();
        scanner.spend(groups.steps());
        if (scanner.isOverBudget()) {
            giveUp();
            linear.find(start);
            while (linear.rule() < rule) {
                linear.findLater();
            }
        }
    }

    private void giveUp() {
        linearHasRow = false;
        linearWithRow();
        isHard = true;
    }

    private LinearMatcher linearWithRow() {
        if (!linearHasRow) {
            readRow();
            linear.reset(row, row.length);
            linearHasRow = true;
        }
        return linear;
    }

    private void readRow() {
        if (row == null) {
            row = new byte[rowEnd - rowStart];
            MemoryUtil.copyFromMemory(base + rowStart, row, 0, row.length);
        }
    }

    @Override
    public int start() {
        return isHard ? rowStart + linear.start() : scanner.start();
    }

    @Override
    public int end() {
        return isHard ? rowStart + linear.end() : scanner.end();
    }

    @Override
    public int rule() {
        return rules[isHard ? linear.rule() : scanner.rule()];
    }

    @Override
    public int replacedStart() {
        if (isHard) {
            return rowStart + linear.replacedStart();
        }
        return hasGroup[scanner.rule()] ? groupStart : scanner.start();
    }

    @Override
    public int replacedEnd() {
        if (isHard) {
            return rowStart + linear.replacedEnd();
        }
        return hasGroup[scanner.rule()] ? groupEnd : scanner.end();
    }
}
