package io.flinkgpu.examples;

import io.flinkgpu.api.RuleSet;
import io.flinkgpu.text.CompiledRules;
import io.flinkgpu.text.LinearMatcher;
import io.flinkgpu.text.MatchJudge;
import io.flinkgpu.text.Replacer;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * A few lines of the input before and after redaction, each showing a rule that the ones before it do
 * not. Not thread-safe.
 */
final class Preview {

    /**
     * A line before and after.
     *
     * @param beforeAt where the match of the rule that is shown starts in {@code before}
     * @param afterAt where its replacement starts in {@code after}
     */
    record Pair(String before, String after, int beforeAt, int afterAt) {}

    private static final int SCANNED_BYTES_PER_FILE = 1 << 18;
    private static final int MAX_LINE_BYTES = 4096;

    private final LinearMatcher matcher;
    private final MatchJudge judge;
    private final Replacer replacer;
    private final BitSet shownRules = new BitSet();
    private final List<Pair> pairs = new ArrayList<>();

    /**
     * @param hashKey the key of hash rules, empty if there are none
     */
    Preview(CompiledRules rules, byte[] hashKey) {
        RuleSet ruleSet = rules.ruleSet();
        matcher = rules.newLinearMatcher();
        judge = new MatchJudge(ruleSet);
        replacer = new Replacer(ruleSet, hashKey);
    }

    /** Looks through the start of each file until there are enough lines. */
    List<Pair> of(List<Path> files, int maxPairs) throws IOException {
        for (Path file : files) {
            int share = (maxPairs + files.size() - 1) / files.size();
            scan(file, Math.min(maxPairs, pairs.size() + share));
        }
        return List.copyOf(pairs);
    }

    private void scan(Path file, int maxPairs) throws IOException {
        byte[] bytes;
        try (InputStream in = new BufferedInputStream(Files.newInputStream(file))) {
            bytes = in.readNBytes(SCANNED_BYTES_PER_FILE);
        }
        int start = 0;
        for (int end = 0; end < bytes.length && pairs.size() < maxPairs; end++) {
            if (bytes[end] == '\n') {
                if (end - start <= MAX_LINE_BYTES) {
                    redact(Arrays.copyOfRange(bytes, start, end));
                }
                start = end + 1;
            }
        }
    }

    private void redact(byte[] row) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        int newAt = -1;
        int newOutAt = -1;
        int copied = 0;
        int from = 0;
        matcher.reset(row, row.length);
        while (from <= row.length && matcher.find(from)) {
            int rule = matcher.rule();
            int verdict = judge.judge(rule, row, matcher.start(), matcher.end());
            from = verdict == MatchJudge.REJECT ? next(row, matcher.start()) : matcher.end();
            if (verdict == MatchJudge.REDACT) {
                out.write(row, copied, matcher.start() - copied);
                int length = replacer.replace(rule, row, matcher.start(), matcher.end());
                out.write(replacer.buffer(), 0, length);
                copied = matcher.end();
                if (newAt < 0 && !shownRules.get(rule)) {
                    newAt = matcher.start();
                    newOutAt = out.size() - length;
                }
                shownRules.set(rule);
            }
        }
        if (newAt >= 0) {
            out.write(row, copied, row.length - copied);
            byte[] after = out.toByteArray();
            pairs.add(
                    new Pair(
                            printable(row, row.length),
                            printable(after, after.length),
                            printable(row, newAt).length(),
                            printable(after, newOutAt).length()));
        }
    }

    /** The index of the next code point's first byte. */
    private static int next(byte[] row, int at) {
        int next = at + 1;
        while (next < row.length && (row[next] & 0xc0) == 0x80) {
            next++;
        }
        return next;
    }

    /** The text without control characters, which would reach the terminal as commands. */
    private static String printable(byte[] row, int length) {
        return Printable.of(new String(row, 0, length, StandardCharsets.UTF_8));
    }
}
