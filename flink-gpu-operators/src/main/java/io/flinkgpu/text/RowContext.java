package io.flinkgpu.text;

import io.flinkgpu.api.AllowList;
import io.flinkgpu.api.Context;
import io.flinkgpu.api.Rule;
import io.flinkgpu.api.RuleSet;
import io.flinkgpu.text.automaton.LinearMatcher;
import io.flinkgpu.text.automaton.UnknownBytes;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Looks at what is around a match, and into it: for the words of a rule's context, and for the stop words and patterns
 * of its allow list. A verdict on a match takes bounded time, and one on a row is given once. Not thread-safe.
 */
final class RowContext {

    private static final int NOT_YET = 0;
    private static final int YES = 1;
    private static final int NO = 2;
    private static final int MAX_LEAD = 50;

    private final Needs[] needs;

    /** Of each rule what is known of the row at hand: whether a word is in it, and whether a pattern keeps it. */
    private final byte[] wordInRow;

    private final byte[] keptByRow;
    private boolean anyKnown;

    /** What a rule asks for; null for a rule that asks for nothing. */
    private record Needs(
            Words words,
            int before,
            int after,
            Words stopWords,
            List<LinearMatcher> ofSecret,
            List<LinearMatcher> ofMatch,
            List<LinearMatcher> ofMatchAndLead,
            List<LinearMatcher> ofRecord) {}

    RowContext(RuleSet rules) {
        needs = new Needs[rules.size()];
        wordInRow = new byte[needs.length];
        keptByRow = new byte[needs.length];
        Map<String, LinearMatcher> matchers = new HashMap<>();
        Map<List<String>, Words> words = new HashMap<>();
        for (int rule = 0; rule < needs.length; rule++) {
            if (isNeeded(rules.rule(rule))) {
                needs[rule] = needs(rules, rule, matchers, words);
            }
        }
    }

    /** Whether a rule's matches cannot be judged by a few of their bytes. */
    static boolean isNeeded(Rule rule) {
        return !rule.context().isEmpty()
                || !rule.allowList().stopWords().isEmpty()
                || !rule.allowList().patterns().isEmpty();
    }

    /** What a rule asks for; packs have the same words and patterns for many rules. */
    private static Needs needs(
            RuleSet rules,
            int rule,
            Map<String, LinearMatcher> matchers,
            Map<List<String>, Words> words) {
        Context context = rules.rule(rule).context();
        List<String> stopWords = rules.rule(rule).allowList().stopWords();
        return new Needs(
                words(context.words(), words),
                context.before(),
                context.after(),
                words(stopWords, words),
                AllowPatterns.matchers(rules, rule, AllowList.Target.SECRET, matchers),
                AllowPatterns.matchers(rules, rule, AllowList.Target.MATCH, matchers),
                AllowPatterns.matchers(rules, rule, AllowList.Target.MATCH_AND_LEAD, matchers),
                AllowPatterns.matchers(rules, rule, AllowList.Target.RECORD, matchers));
    }

    private static Words words(List<String> list, Map<List<String>, Words> known) {
        return list.isEmpty() ? null : known.computeIfAbsent(list, Words::new);
    }

    /** Forgets the last row. */
    void startRow() {
        if (anyKnown) {
            Arrays.fill(wordInRow, (byte) NOT_YET);
            Arrays.fill(keptByRow, (byte) NOT_YET);
            anyKnown = false;
        }
    }

    boolean isNeeded(int rule) {
        return needs[rule] != null;
    }

    /** Whether a word that a rule asks for is where it may be, for a match {@code row[start, end)}. */
    boolean hasWord(int rule, byte[] row, int rowLength, int start, int end) {
        Words words = needs[rule].words;
        if (words == null) {
            return true;
        }
        if (needs[rule].before == Context.RECORD) {
            if (wordInRow[rule] == NOT_YET) {
                wordInRow[rule] = (byte) (words.isIn(row, 0, rowLength) ? YES : NO);
                anyKnown = true;
            }
            return wordInRow[rule] == YES;
        }
        return words.isIn(row, before(row, start, needs[rule].before), start)
                || words.isIn(row, end, after(row, end, rowLength, needs[rule].after));
    }

    /** Whether a stop word or a pattern keeps a match, of which {@code row[from, to)} would be replaced. */
    boolean keeps(int rule, byte[] row, int rowLength, int start, int end, int from, int to) {
        Needs asked = needs[rule];
        if (to - from <= AllowList.MAX_SEARCHED_BYTES) {
            if (asked.stopWords != null && asked.stopWords.isIn(row, from, to)
                    || isFound(asked.ofSecret, row, from, to)) {
                return true;
            }
        }
        if (end - start <= AllowList.MAX_SEARCHED_BYTES
                && isFound(asked.ofMatch, row, start, end)) {
            return true;
        }
        if (!asked.ofMatchAndLead.isEmpty()) {
            int lead = lead(row, start);
            if (end - lead <= AllowList.MAX_SEARCHED_BYTES
                    && isFound(asked.ofMatchAndLead, row, lead, end)) {
                return true;
            }
        }
        if (!asked.ofRecord.isEmpty() && keptByRow[rule] == NOT_YET) {
            keptByRow[rule] = (byte) (isFound(asked.ofRecord, row, 0, rowLength) ? YES : NO);
            anyKnown = true;
        }
        return keptByRow[rule] == YES;
    }

    /** Where the lead of a match starts. */
    private static int lead(byte[] row, int start) {
        int at = start;
        while (at > 0 && start - at < MAX_LEAD && isOfLead(row[at - 1])) {
            at--;
        }
        return at;
    }

    private static boolean isOfLead(byte b) {
        return b >= 'a' && b <= 'z'
                || b >= 'A' && b <= 'Z'
                || b >= '0' && b <= '9'
                || b == '_'
                || b == '.'
                || b == '-';
    }

    private static boolean isFound(List<LinearMatcher> patterns, byte[] row, int from, int to) {
        if (patterns.isEmpty()) {
            return false;
        }
        byte[] text = Arrays.copyOfRange(row, from, to);
        byte[] marked = UnknownBytes.marked(text, text.length);
        for (LinearMatcher pattern : patterns) {
            pattern.reset(marked, marked.length);
            boolean found = pattern.find(0);
            pattern.release();
            if (found) {
                return true;
            }
        }
        return false;
    }

    /** Goes back by so many characters, or to the row's start. */
    private static int before(byte[] row, int from, int characters) {
        int at = from;
        for (int i = 0; i < characters && at > 0; i++) {
            int back = 1;
            for (int length = 2; length <= 4 && length <= at; length++) {
                if (UnknownBytes.lengthAt(row, at - length, at) == length) {
                    back = length;
                }
            }
            at -= back;
        }
        return at;
    }

    /** Goes on by so many characters, or to the row's end. */
    private static int after(byte[] row, int from, int rowLength, int characters) {
        int at = from;
        for (int i = 0; i < characters && at < rowLength; i++) {
            at += Math.max(1, UnknownBytes.lengthAt(row, at, rowLength));
        }
        return at;
    }
}
