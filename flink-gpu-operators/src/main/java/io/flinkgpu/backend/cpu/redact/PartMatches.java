package io.flinkgpu.backend.cpu.redact;

import io.flinkgpu.api.RuleSet;
import io.flinkgpu.column.TextView;
import io.flinkgpu.text.Matches;
import io.flinkgpu.text.RulePart;
import io.flinkgpu.text.automaton.LinearMatcher;
import io.flinkgpu.text.automaton.Prefilter;

import org.apache.arrow.memory.util.MemoryUtil;

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
    private final LinearMatcher linear;

    private ByteFinder requiredBytes;
    private Scanner scanner;
    private long base;
    private int rowStart;
    private int rowEnd;

    /** Whether the linear matcher has the row. */
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
        this.linear = part.newLinearMatcher(sharers);
        this.hasGroup = new boolean[rules.length];
        for (int rule = 0; rule < rules.length; rule++) {
            hasGroup[rule] = !ruleSet.rule(rules[rule]).group().isEmpty();
        }
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

    /** Of a rule with a group, the linear matcher goes to the match to find it. */
    private void locateGroup() {
        if (!hasGroup[scanner.rule()]) {
            return;
        }
        readRow();
        linear.locate(scanner.rule(), scanner.start() - rowStart);
        scanner.spend(linear.end() - linear.start());
        if (scanner.isOverBudget()) {
            int rule = scanner.rule();
            giveUp();
            linear.find(scanner.start() - rowStart);
            while (linear.rule() < rule) {
                linear.findLater();
            }
        }
    }

    private void giveUp() {
        linearHasRow = false;
        readRow();
        isHard = true;
    }

    private void readRow() {
        if (!linearHasRow) {
            byte[] row = new byte[rowEnd - rowStart];
            MemoryUtil.copyFromMemory(base + rowStart, row, 0, row.length);
            linear.reset(row, row.length);
            linearHasRow = true;
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
        boolean byLinear = isHard || hasGroup[scanner.rule()];
        return byLinear ? rowStart + linear.replacedStart() : scanner.start();
    }

    @Override
    public int replacedEnd() {
        boolean byLinear = isHard || hasGroup[scanner.rule()];
        return byLinear ? rowStart + linear.replacedEnd() : scanner.end();
    }
}
