package io.flinkgpu.rules;

import io.flinkgpu.api.Rule;
import io.flinkgpu.api.RuleSet;
import io.flinkgpu.text.MatchJudge;
import io.flinkgpu.text.Replacer;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The definition of a rule set's meaning, run as it is written: one alternation of {@code
 * java.util.regex} over the row, which must be UTF-8. Slow.
 */
final class JavaRegexRedactor implements Redactor {

    private static final String WORD = "[0-9A-Za-z_]";

    private final int rules;
    private final Pattern pattern;
    private final MatchJudge judge;
    private final Replacer replacer;

    JavaRegexRedactor(RuleSet ruleSet) {
        rules = ruleSet.size();
        StringBuilder alternation = new StringBuilder();
        for (Rule rule : ruleSet.rules()) {
            String regex = withAsciiBoundaries(rule.regex());
            int index = ruleSet.rules().indexOf(rule);
            alternation.append(index == 0 ? "" : "|").append("(?<r" + index + ">" + regex + ")");
        }
        pattern = Pattern.compile(alternation.toString());
        judge = new MatchJudge(ruleSet);
        replacer = new Replacer(ruleSet, new byte[0]);
    }

    @Override
    public byte[] redact(byte[] row) {
        String text = new String(row, StandardCharsets.UTF_8);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Matcher matcher = pattern.matcher(text);
        int from = 0;
        int copied = 0;
        while (from <= text.length() && matcher.find(from)) {
            int rule = ruleOf(matcher);
            byte[] match = matcher.group().getBytes(StandardCharsets.UTF_8);
            int verdict = judge.judge(rule, match, 0, match.length);
            if (verdict == MatchJudge.REJECT) {
                from = text.offsetByCodePoints(matcher.start(), 1);
                continue;
            }
            from = matcher.end();
            if (verdict == MatchJudge.REDACT) {
                out.writeBytes(bytes(text, copied, matcher.start()));
                int length = replacer.replace(rule, match, 0, match.length);
                out.write(replacer.buffer(), 0, length);
                copied = from;
            }
        }
        out.writeBytes(bytes(text, copied, text.length()));
        return out.toByteArray();
    }

    private int ruleOf(Matcher matcher) {
        for (int rule = 0; rule < rules; rule++) {
            if (matcher.start("r" + rule) >= 0) {
                return rule;
            }
        }
        throw new AssertionError("one rule has matched");
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
