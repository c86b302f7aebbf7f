package io.flinkgpu.applications;

import io.flinkgpu.api.RuleSet;
import io.flinkgpu.text.CompiledRules;
import io.flinkgpu.text.JoinedText;
import io.flinkgpu.text.LinearMatches;
import io.flinkgpu.text.Replacer;
import io.flinkgpu.text.RowJudge;
import io.flinkgpu.text.automaton.UnknownBytes;
import io.flinkgpu.text.record.RecordRedactor;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Redacts single lines outside of a job. Not thread-safe. */
final class LineRedactor {

    /**
     * A match.
     *
     * @param rule its index
     * @param beforeAt where what is replaced starts in the line
     * @param afterAt where its replacement starts in the redacted line; about there if a rule dropped
     *     something before it, or the line is searched under forms or by fields
     */
    record Match(int rule, int beforeAt, int afterAt) {

        private Match within(int length) {
            return new Match(rule, beforeAt, Math.min(afterAt, length));
        }
    }

    /** A redacted line and what was replaced in it as it came, in order. */
    record Redacted(byte[] line, List<Match> matches) {}

    private final LinearMatches matcher;
    private final RowJudge judge;
    private final Replacer replacer;
    private final JoinedText joined;
    private final int rules;

    /** Null where lines are searched as they are. */
    private final RecordRedactor records;

    /**
     * @param hashKey the key of hash rules, empty if there are none
     */
    LineRedactor(CompiledRules rules, byte[] hashKey) {
        RuleSet ruleSet = rules.ruleSet();
        matcher = rules.newLinearMatches();
        judge = new RowJudge(ruleSet);
        replacer = new Replacer(ruleSet, hashKey);
        joined = new JoinedText(rules, hashKey);
        this.rules = ruleSet.size();
        records = ruleSet.isPlain() ? null : new RecordRedactor(rules, hashKey);
    }

    String redact(String line) {
        byte[] redacted = redact(line.getBytes(StandardCharsets.UTF_8)).line();
        return new String(redacted, StandardCharsets.UTF_8);
    }

    Redacted redact(byte[] line) {
        if (records != null) {
            return redactRecord(line);
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        List<Match> matches = new ArrayList<>();
        int copied = 0;
        int from = 0;
        matcher.reset(UnknownBytes.marked(line, line.length), line.length);
        judge.startRow();
        joined.startRow();
        while (from <= line.length && matcher.find(from)) {
            boolean replaced = isReplaced(line);
            while (!replaced && matcher.findLater()) {
                replaced = isReplaced(line);
            }
            // No match starts inside a code point, so the next byte will do for the next one.
            from = matcher.start() + 1;
            if (replaced) {
                int start = matcher.replacedStart();
                int end = matcher.replacedEnd();
                out.write(line, copied, start - copied);
                matches.add(new Match(matcher.rule(), start, out.size()));
                int length = replacer.replace(matcher.rule(), line, start, end);
                out.write(replacer.buffer(), 0, length);
                if (length == 0) {
                    joined.add(out.size());
                }
                copied = end;
                from = matcher.end();
            }
        }
        out.write(line, copied, line.length - copied);
        byte[] redacted = out.toByteArray();
        return joined.isAny()
                ? withoutJoined(redacted, matches)
                : new Redacted(redacted, List.copyOf(matches));
    }

    private Redacted redactRecord(byte[] line) {
        int length = records.redact(line, line.length, new long[rules]);
        return new Redacted(
                Arrays.copyOf(records.buffer(), length),
                records.findings().stream()
                        .map(it -> new Match(it.rule(), it.from(), it.from()).within(length))
                        .toList());
    }

    /** Redacts what came together where matches left nothing. */
    private Redacted withoutJoined(byte[] line, List<Match> matches) {
        int length = joined.redact(line, line.length, new long[rules]);
        return new Redacted(
                Arrays.copyOf(joined.buffer(), length),
                matches.stream().map(match -> match.within(length)).toList());
    }

    /** Whether the matcher's match is replaced. */
    private boolean isReplaced(byte[] line) {
        return judge.replacesInRow(matcher, line, line.length, 0);
    }
}
