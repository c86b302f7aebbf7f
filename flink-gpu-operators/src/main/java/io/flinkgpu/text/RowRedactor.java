package io.flinkgpu.text;

import io.flinkgpu.text.automaton.UnknownBytes;

import org.apache.flink.annotation.Internal;

import java.util.Arrays;

/**
 * Redacts one row after the other with the {@link LinearMatches} alone: the search takes time linear in
 * the row for every rule set. Not thread-safe.
 */
@Internal
public final class RowRedactor {

    private final LinearMatches matcher;
    private final RowJudge judge;
    private final Replacer replacer;
    private final JoinedText joined;
    private byte[] buffer = new byte[1024];
    private int length;
    private boolean changed;

    /**
     * @param hashKey the key of hash actions; empty when no rule needs one
     */
    public RowRedactor(CompiledRules rules, byte[] hashKey) {
        matcher = rules.newMatches();
        judge = new RowJudge(rules.ruleSet());
        replacer = new Replacer(rules.ruleSet(), hashKey);
        joined = new JoinedText(rules, replacer);
    }

    /**
     * Redacts {@code row[0, rowLength)}.
     *
     * @param matchesPerRule the counters of redacted matches, to be added to
     * @return the number of bytes of the result, which are the first of {@link #buffer()}
     */
    public int redact(byte[] row, int rowLength, long[] matchesPerRule) {
        length = 0;
        changed = false;
        int copied = 0;
        int from = 0;
        matcher.reset(UnknownBytes.marked(row, rowLength), rowLength);
        judge.startRow();
        replacer.startRecord();
        joined.startRow();
        while (from < rowLength && matcher.find(from)) {
            boolean replaced = isReplaced(row, rowLength);
            while (!replaced && matcher.findLater()) {
                replaced = isReplaced(row, rowLength);
            }
            int start = matcher.start();
            // No match starts inside a code point, so the next byte will do for the next one.
            from = start + 1;
            if (replaced) {
                int replacedEnd = matcher.replacedEnd();
                append(row, copied, matcher.replacedStart());
                int replacementLength =
                        replacer.replace(matcher.rule(), row, matcher.replacedStart(), replacedEnd);
                append(replacer.buffer(), 0, replacementLength);
                if (replacementLength == 0) {
                    joined.add(length);
                }
                copied = replacedEnd;
                from = matcher.end();
                changed = true;
                matchesPerRule[matcher.rule()]++;
            }
        }
        matcher.release();
        append(row, copied, rowLength);
        if (joined.isAny()) {
            int joinedLength = joined.redact(buffer, length, matchesPerRule);
            length = 0;
            append(joined.buffer(), 0, joinedLength);
        }
        return length;
    }

    /** Whether the matcher's match is replaced. */
    private boolean isReplaced(byte[] row, int rowLength) {
        return judge.replacesInRow(matcher, row, rowLength, 0);
    }

    /** Holds the last result until the next call. */
    public byte[] buffer() {
        return buffer;
    }

    /** Whether a match was redacted in the last row. */
    public boolean changed() {
        return changed;
    }

    private void append(byte[] bytes, int from, int to) {
        int needed = Math.addExact(length, to - from);
        if (needed > buffer.length) {
            int grown = (int) Math.min(Integer.MAX_VALUE - 8L, 2L * buffer.length);
            buffer = Arrays.copyOf(buffer, Math.max(needed, grown));
        }
        System.arraycopy(bytes, from, buffer, length, to - from);
        length = needed;
    }
}
