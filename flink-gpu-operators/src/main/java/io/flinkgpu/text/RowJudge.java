package io.flinkgpu.text;

import io.flinkgpu.api.RuleSet;
import io.flinkgpu.api.Validator;
import io.flinkgpu.text.validator.EntropyWindow;

import org.apache.flink.annotation.Internal;

import java.util.Arrays;

/**
 * Decides which matches of a row are replaced: those that no validator refuses and no allow list keeps.
 * What a rule finds within a text that it kept itself, it keeps as well. Not thread-safe.
 */
@Internal
public final class RowJudge {

    private final MatchJudge judge;
    private final RowContext context;
    private final int[] minMilliBits;
    private final EntropyWindow[] windows;
    private final int[] keptTo;
    private boolean anyKept;
    private boolean anyWindow;

    public RowJudge(RuleSet rules) {
        judge = new MatchJudge(rules);
        context = new RowContext(rules);
        minMilliBits = new int[rules.size()];
        windows = new EntropyWindow[rules.size()];
        for (int rule = 0; rule < rules.size(); rule++) {
            Validator validator = rules.rule(rule).validator();
            if (validator.kind() == Validator.Kind.ENTROPY && rules.rule(rule).group().isEmpty()) {
                minMilliBits[rule] = validator.minMilliBitsPerByte();
                windows[rule] = new EntropyWindow();
            }
        }
        keptTo = new int[rules.size()];
    }

    /** Forgets the last row. */
    public void startRow() {
        context.startRow();
        if (anyKept) {
            Arrays.fill(keptTo, 0);
            anyKept = false;
        }
        if (anyWindow) {
            for (EntropyWindow window : windows) {
                if (window != null) {
                    window.clear();
                }
            }
            anyWindow = false;
        }
    }

    /** As {@link MatchJudge#judges}: if not, every match is replaced. */
    public boolean judges(int rule) {
        return judge.judges(rule);
    }

    /** As {@link MatchJudge#neededBytes}. */
    public int neededBytes(int rule) {
        return judge.neededBytes(rule);
    }

    /** Whether more than a match's bytes is needed to judge it: {@link #replacesInRow} does. */
    public boolean needsRow(int rule) {
        return context.isNeeded(rule);
    }

    /**
     * Whether a match is replaced of a rule that does not need the row. Matches come in the order of their starts.
     *
     * @param bytes where the match, or the first {@link #neededBytes} of it, stands from an index on
     * @param from that index
     * @param length the match's length in bytes
     * @param end where the match ends, counted from the same place for all matches of the row; of a rule with a
     *     group, that of the whole match, while the bytes are those of the group
     */
    public boolean replaces(int rule, byte[] bytes, int from, int length, int end) {
        return isReplaced(rule, verdict(rule, bytes, from, length, end), end);
    }

    /**
     * Whether the last match in a row is replaced. Matches come in the order of their starts.
     *
     * @param row the row as it came, without marks
     * @param rowLength its length in bytes
     * @param rowStart from where the matches' offsets count
     */
    public boolean replacesInRow(Matches matches, byte[] row, int rowLength, int rowStart) {
        int rule = matches.rule();
        int from = matches.replacedStart() - rowStart;
        int to = matches.replacedEnd() - rowStart;
        if (!context.isNeeded(rule)) {
            return replaces(rule, row, from, to - from, matches.end());
        }
        int start = matches.start() - rowStart;
        return replacesInRow(
                rule, row, rowLength, start, matches.end() - rowStart, from, to, false);
    }

    /**
     * Likewise of a match {@code row[start, end)}, of which {@code row[from, to)} would be replaced.
     *
     * @param isPart whether the row is a part of a record, in the rest of which the words of a context may be: they
     *     are taken for there
     */
    public boolean replacesInRow(
            int rule,
            byte[] row,
            int rowLength,
            int start,
            int end,
            int from,
            int to,
            boolean isPart) {
        if (!context.isNeeded(rule)) {
            return replaces(rule, row, from, to - from, end);
        }
        if (!isPart && !context.hasWord(rule, row, rowLength, start, end)) {
            return false;
        }
        int verdict = verdict(rule, row, from, to - from, end);
        if (verdict == MatchJudge.REDACT
                && context.keeps(rule, row, rowLength, start, end, from, to)) {
            verdict = MatchJudge.KEEP;
        }
        return isReplaced(rule, verdict, end);
    }

    private boolean isReplaced(int rule, int verdict, int end) {
        if (verdict == MatchJudge.KEEP) {
            keptTo[rule] = Math.max(keptTo[rule], end);
            anyKept = true;
        }
        return verdict == MatchJudge.REDACT && end > keptTo[rule];
    }

    private int verdict(int rule, byte[] bytes, int from, int length, int end) {
        EntropyWindow window = windows[rule];
        if (window == null) {
            return judge.judge(rule, bytes, from, from + length);
        }
        anyWindow = true;
        return window.accepts(bytes, from, length, end - length, minMilliBits[rule])
                ? judge.judgeAccepted(rule, bytes, from, from + length)
                : MatchJudge.REJECT;
    }
}
