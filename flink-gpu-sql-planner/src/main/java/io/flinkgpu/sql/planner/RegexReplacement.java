package io.flinkgpu.sql.planner;

import io.flinkgpu.api.Action;
import io.flinkgpu.api.Rule;
import io.flinkgpu.api.RuleException;
import io.flinkgpu.api.RuleSet;
import io.flinkgpu.api.expression.TextExpression;
import io.flinkgpu.sql.operator.TextCheck;
import io.flinkgpu.text.RuleCompiler;
import io.flinkgpu.text.regex.Regex;
import io.flinkgpu.text.regex.RuleReader;

import java.util.List;

/** REGEXP_REPLACE as a redaction by one rule. */
final class RegexReplacement {

    private RegexReplacement() {}

    static TextExpression of(RexTranslator t, TextExpression text, String regex, String label)
            throws UnsupportedException {
        RuleSet rules;
        Regex parsed;
        try {
            Rule rule = Rule.of("REGEXP_REPLACE", regex, new Action.Label(label));
            rules = RuleSet.of(rule).allowUnmatchable();
            RuleCompiler.compile(rules);
            parsed = RuleReader.read(rules).get(0);
        } catch (RuleException e) {
            String reason = e.errors().get(0);
            throw new UnsupportedException(reason.substring(reason.indexOf("): ") + 3));
        }
        TextExpression checked = looksAtWords(parsed) ? t.checked(text, TextCheck.ASCII) : text;
        return checked.redact(rules);
    }

    /** Whether it asks what is a letter, which Java answers otherwise before JDK 19. */
    private static boolean looksAtWords(Regex regex) {
        if (regex instanceof Regex.Look look) {
            return look.kind() == Regex.Look.Kind.WORD_BOUNDARY
                    || look.kind() == Regex.Look.Kind.NOT_WORD_BOUNDARY;
        }
        return parts(regex).stream().anyMatch(RegexReplacement::looksAtWords);
    }

    private static List<Regex> parts(Regex regex) {
        if (regex instanceof Regex.Concat concat) {
            return concat.parts();
        }
        if (regex instanceof Regex.Alternate alternate) {
            return alternate.options();
        }
        return regex instanceof Regex.Repeat repeat ? List.of(repeat.body()) : List.of();
    }
}
