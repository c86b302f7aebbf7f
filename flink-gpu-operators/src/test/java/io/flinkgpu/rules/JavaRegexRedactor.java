package io.flinkgpu.rules;

import io.flinkgpu.api.RuleSet;
import io.flinkgpu.text.MatchJudge;
import io.flinkgpu.text.Replacer;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The definition of a rule set's meaning, run as it is written: the rules in order at each start, by {@code
 * java.util.regex} over the row, which must be UTF-8. Slow.
 */
final class JavaRegexRedactor implements Redactor {

    private static final String WORD = "[0-9A-Za-z_]";

    private final List<Pattern> patterns;
    private final MatchJudge judge;
    private final Replacer replacer;

    JavaRegexRedactor(RuleSet ruleSet) {
        patterns =
                ruleSet.rules().stream()
                        .map(rule -> Pattern.compile(withAsciiBoundaries(rule.regex())))
                        .toList();
        judge = new MatchJudge(ruleSet);
        replacer = new Replacer(ruleSet, new byte[0]);
    }

    @Override
    public byte[] redact(byte[] row) {
        String text = new String(row, StandardCharsets.UTF_8);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        List<Matcher> matchers =
                patterns.stream()
                        .map(
                                pattern ->
                                        pattern.matcher(text)
                                                .useTransparentBounds(true)
                                                .useAnchoringBounds(false))
                        .toList();
        int[] keptTo = new int[patterns.size()];
        int copied = 0;
        int at = 0;
        while (at < text.length()) {
            int rule = replacingRule(text, matchers, at, keptTo);
            if (rule < 0) {
                at = text.offsetByCodePoints(at, 1);
                continue;
            }
            byte[] match = matchers.get(rule).group().getBytes(StandardCharsets.UTF_8);
            out.writeBytes(bytes(text, copied, at));
            int length = replacer.replace(rule, match, 0, match.length);
            out.write(replacer.buffer(), 0, length);
            copied = matchers.get(rule).end();
            at = copied;
        }
        out.writeBytes(bytes(text, copied, text.length()));
        return out.toByteArray();
    }

    /** The first rule whose match at a place is neither refused nor kept, or -1. */
    private int replacingRule(String text, List<Matcher> matchers, int at, int[] keptTo) {
        for (int rule = 0; rule < matchers.size(); rule++) {
            Matcher matcher = matchers.get(rule).region(at, text.length());
            if (!matcher.lookingAt()) {
                continue;
            }
            byte[] match = matcher.group().getBytes(StandardCharsets.UTF_8);
            int verdict = judge.judge(rule, match, 0, match.length);
            if (verdict == MatchJudge.KEEP) {
                keptTo[rule] = Math.max(keptTo[rule], matcher.end());
            }
            if (verdict == MatchJudge.REDACT && matcher.end() > keptTo[rule]) {
                return rule;
            }
        }
        return -1;
    }

    private static byte[] bytes(String text, int from, int to) {
        return text.substring(from, to).getBytes(StandardCharsets.UTF_8);
    }

    /** Up to JDK 18 {@code \b} counts every Unicode letter. */
    static String withAsciiBoundaries(String regex) {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < regex.length(); i++) {
            char c = regex.charAt(i);
            if (c != '\\') {
                out.append(c);
                continue;
            }
            char escaped = regex.charAt(++i);
            if (escaped == 'b') {
                out.append("(?:(?<=W)(?!W)|(?<!W)(?=W))".replace("W", WORD));
            } else if (escaped == 'B') {
                out.append("(?:(?<=W)(?=W)|(?<!W)(?!W))".replace("W", WORD));
            } else {
                out.append(c).append(escaped);
            }
        }
        return out.toString();
    }
}
