package io.flinkgpu.text;

import io.flinkgpu.text.automaton.UnknownBytes;

import org.apache.flink.annotation.Internal;

import java.util.Arrays;

/**
 * Redacts what came together where a match left nothing: scans the result of a row again and replaces the
 * matches that touch such a place, until there are none. A row with too many such scans is dropped whole, as
 * texts can be nested within each other so that each scan joins the next. Not thread-safe.
 */
@Internal
public final class JoinedText {

    /** After so many scans that replaced something, a row that still has such places becomes empty. */
    public static final int MAX_SCANS = 8;

    /** The longest line terminator: what may stand between a match that ends in {@code $} and a place. */
    private static final int LINE_END_BYTES = 3;

    /** What longer rows needed is given back. */
    private static final int KEPT_BYTES = 1 << 20;

    private final CompiledRules rules;
    private final Replacer replacer;

    /** Made when a row first needs them. */
    private LinearMatches matcher;

    private RowJudge judge;

    /** Where something was left out of the text at hand, ascending. */
    private int[] joins = new int[16];

    private int joinCount;

    /** The same of the text that a scan writes. */
    private int[] nextJoins = new int[16];

    private int nextCount;

    private byte[] bytes = new byte[1024];
    private int length;
    private byte[] next = new byte[1024];
    private int nextLength;

    /**
     * @param replacer of the same rules, whose counters of a record go on in what is scanned again
     */
    public JoinedText(CompiledRules rules, Replacer replacer) {
        this.rules = rules;
        this.replacer = replacer;
    }

    /** Forgets the last row. */
    public void startRow() {
        joinCount = 0;
        if (bytes.length + next.length > KEPT_BYTES) {
            bytes = new byte[1024];
            next = new byte[1024];
        }
    }

    /** Notes that a match left nothing at an offset of the row's result; offsets never decrease. */
    public void add(int offset) {
        if (joinCount > 0 && joins[joinCount - 1] == offset) {
            return;
        }
        if (joinCount == joins.length) {
            joins = Arrays.copyOf(joins, 2 * joinCount);
        }
        joins[joinCount++] = offset;
    }

    /** Whether there is any such place. */
    public boolean isAny() {
        return joinCount > 0;
    }

    /**
     * Redacts {@code text[0, textLength)}, the result of the row.
     *
     * @param matchesPerRule the counters of redacted matches, to be added to
     * @return the number of bytes of the new result, which are the first of {@link #buffer()}
     */
    public int redact(byte[] text, int textLength, long[] matchesPerRule) {
        if (matcher == null) {
            matcher = rules.newLinearMatches();
            judge = new RowJudge(rules.ruleSet());
        }
        bytes = append(bytes, 0, text, 0, textLength);
        length = textLength;
        for (int scan = 1; joinCount > 0 && scan(matchesPerRule); scan++) {
            if (scan == MAX_SCANS && joinCount > 0) {
                length = 0;
                break;
            }
        }
        return length;
    }

    /** Holds the last result until the next call. */
    public byte[] buffer() {
        return bytes;
    }

    /** Replaces what touches a place; returns whether there was any. */
    private boolean scan(long[] matchesPerRule) {
        nextLength = 0;
        nextCount = 0;
        int copied = 0;
        int from = 0;
        int join = 0;
        int carried = 0;
        matcher.reset(UnknownBytes.marked(bytes, length), length);
        judge.startRow();
        while (from < length && matcher.find(from)) {
            int start = matcher.start();
            while (join < joinCount && joins[join] < start) {
                join++;
            }
            boolean replaced = isReplaced(join);
            while (!replaced && matcher.findLater()) {
                replaced = isReplaced(join);
            }
            from = start + 1;
            if (replaced) {
                int end = matcher.end();
                int replacedStart = matcher.replacedStart();
                int replacedEnd = matcher.replacedEnd();
                carried = carry(carried, start, copied);
                copy(bytes, copied, replacedStart);
                int replacement =
                        replacer.replace(matcher.rule(), bytes, replacedStart, replacedEnd);
                copy(replacer.buffer(), 0, replacement);
                if (replacement == 0) {
                    addNext(nextLength);
                }
                while (carried < joinCount && joins[carried] <= end + LINE_END_BYTES) {
                    carried++;
                }
                copied = replacedEnd;
                from = end;
                matchesPerRule[matcher.rule()]++;
            }
        }
        matcher.release();
        if (copied == 0) {
            return false;
        }
        carry(carried, length + 1, copied);
        copy(bytes, copied, length);
        swap();
        return true;
    }

    private boolean isReplaced(int join) {
        boolean redacts = judge.replacesInRow(matcher, bytes, length, 0);
        return redacts && join < joinCount && joins[join] <= matcher.end() + LINE_END_BYTES;
    }

    /** Notes the places before an offset, which no replaced match touches, where they will be. */
    private int carry(int first, int before, int copied) {
        int index = first;
        while (index < joinCount && joins[index] < before) {
            addNext(nextLength + joins[index++] - copied);
        }
        return index;
    }

    private void addNext(int offset) {
        if (nextCount > 0 && nextJoins[nextCount - 1] == offset) {
            return;
        }
        if (nextCount == nextJoins.length) {
            nextJoins = Arrays.copyOf(nextJoins, 2 * nextCount);
        }
        nextJoins[nextCount++] = offset;
    }

    private void copy(byte[] source, int from, int to) {
        next = append(next, nextLength, source, from, to);
        nextLength += to - from;
    }

    private static byte[] append(byte[] target, int at, byte[] source, int from, int to) {
        int needed = Math.addExact(at, to - from);
        byte[] room = target;
        if (needed > room.length) {
            int grown = (int) Math.min(Integer.MAX_VALUE - 8L, 2L * room.length);
            room = Arrays.copyOf(room, Math.max(needed, grown));
        }
        System.arraycopy(source, from, room, at, to - from);
        return room;
    }

    private void swap() {
        byte[] oldBytes = bytes;
        bytes = next;
        length = nextLength;
        next = oldBytes;
        int[] oldJoins = joins;
        joins = nextJoins;
        joinCount = nextCount;
        nextJoins = oldJoins;
    }
}
