package io.flinkgpu.text;

import io.flinkgpu.api.RuleSet;

import org.apache.flink.annotation.Internal;

import java.util.Arrays;

/**
 * Decides which matches of a row are replaced: those that no validator refuses and no allow list keeps.
 * What a rule finds within a text that it kept itself, it keeps as well. Not thread-safe.
 */
@Internal
public final class RowJudge {

    private final MatchJudge judge;
    private final int[] keptTo;
    private boolean anyKept;

    public RowJudge(RuleSet rules) {
        judge = new MatchJudge(rules);
        keptTo = new int[rules.size()];
    }

    /** Forgets the last row. */
    public void startRow() {
        if (anyKept) {
            Arrays.fill(keptTo, 0);
            anyKept = false;
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

    /**
     * Whether a match is replaced. Matches come in the order of their starts.
     *
     * @param bytes where the match, or the first {@link #neededBytes} of it, stands from an index on
     * @param from that index
     * @param length the match's length in bytes
     * @param end where the match ends, counted from the same place for all matches of the row
     */
    public boolean replaces(int rule, byte[] bytes, int from, int length, int end) {
        int verdict = judge.judge(rule, bytes, from, from + length);
        if (verdict == MatchJudge.KEEP) {
            keptTo[rule] = Math.max(keptTo[rule], end);
            anyKept = true;
        }
        return verdict == MatchJudge.REDACT && end > keptTo[rule];
    }

    /** Whether a match is replaced: bytes {@code [start, end)} of its row. */
    public boolean replaces(int rule, byte[] row, int start, int end) {
        return replaces(rule, row, start, end - start, end);
    }
}
