package io.flinkgpu.sql.planner;

import io.flinkgpu.api.Action;
import io.flinkgpu.api.AllowList;
import io.flinkgpu.api.Rule;
import io.flinkgpu.api.RuleException;
import io.flinkgpu.api.RuleSet;
import io.flinkgpu.api.Validator;
import io.flinkgpu.api.expression.Operation;
import io.flinkgpu.api.expression.TextExpression;
import io.flinkgpu.sql.operator.TextCheck;
import io.flinkgpu.text.RuleCompiler;
import io.flinkgpu.text.regex.Regex;
import io.flinkgpu.text.regex.RuleReader;

import java.util.ArrayList;
import java.util.List;

/**
 * REGEXP_REPLACE as a redaction by one rule; of a redaction by rules that it has nothing to do with, as one more rule
 * of those, so that the text is scanned once.
 */
final class RegexReplacement {

    private RegexReplacement() {}

    static TextExpression of(RexTranslator t, TextExpression text, String regex, String label)
            throws UnsupportedException {
        RuleSet rules = RuleSet.of(rule(1, regex, label)).allowUnmatchable();
        Regex parsed;
        try {
            RuleCompiler.compile(rules);
            parsed = RuleReader.read(rules).get(0);
        } catch (RuleException e) {
            String reason = e.errors().get(0);
            throw new UnsupportedException(reason.substring(reason.indexOf("): ") + 3));
        }
        TextExpression checked =
                RegexText.looksAtWords(parsed) ? t.checked(text, TextCheck.ASCII) : text;
        if (text.operation() == Operation.REDACT) {
            RuleSet earlier = (RuleSet) text.arguments().get(0);
            if (isApart(earlier, parsed)) {
                return ((TextExpression) text.operands().get(0))
                        .redact(with(earlier, rule(earlier.size() + 1, regex, label)));
            }
        }
        return checked.redact(rules);
    }

    private static Rule rule(int number, String regex, String label) {
        return Rule.of("REGEXP_REPLACE " + number, regex, new Action.Label(label));
    }

    private static RuleSet with(RuleSet earlier, Rule rule) {
        List<Rule> rules = new ArrayList<>(earlier.rules());
        rules.add(rule);
        return RuleSet.of(rules).allowUnmatchable();
    }

    /**
     * Whether the order of rules and a later one does not matter: no character that one of them matches or puts in
     * is in a match of the later one, and that one asks for nothing around its matches. Then all rules find the same
     * in a text whether or not the others were at it before.
     */
    private static boolean isApart(RuleSet earlier, Regex later) {
        if (earlier.size() == RuleSet.MAX_RULES || RegexText.looks(later)) {
            return false;
        }
        for (Rule rule : earlier.rules()) {
            if (!rule.name().startsWith("REGEXP_REPLACE ")
                    || rule.validator() != Validator.NONE
                    || !rule.allowList().equals(AllowList.EMPTY)
                    || !(rule.action() instanceof Action.Label label)
                    || RegexText.canMatch(later, label.text())) {
                return false;
            }
        }
        return RuleReader.read(earlier).stream()
                .noneMatch(regex -> RegexText.haveCommon(regex, later));
    }
}
