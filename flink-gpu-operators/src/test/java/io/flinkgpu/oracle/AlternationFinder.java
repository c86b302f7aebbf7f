package io.flinkgpu.oracle;

import io.flinkgpu.api.Rule;
import io.flinkgpu.api.RuleSet;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds matches by the alternation {@code (r1)|(r2)|...} itself, tried at one start after the other. For
 * rules whose group names differ and that have no back references.
 */
final class AlternationFinder implements OracleRedactor.Finder {

    private final Matcher matcher;
    private final int[] groupOfRule;
    private final CharSequence text;
    private final Utf8Row.Stretch stretch;

    private AlternationFinder(
            Matcher matcher, int[] groupOfRule, CharSequence text, Utf8Row.Stretch stretch) {
        this.matcher = matcher;
        this.groupOfRule = groupOfRule;
        this.text = text;
        this.stretch = stretch;
    }

    static OracleRedactor.FinderFactory factory(RuleSet rules) {
        StringBuilder all = new StringBuilder();
        int[] groupOfRule = new int[rules.size()];
        int groups = 0;
        for (int i = 0; i < rules.size(); i++) {
            Rule rule = rules.rule(i);
            groupOfRule[i] = groups + 1;
            groups += 1 + OracleRedactor.compile(rule.regex()).matcher("").groupCount();
            all.append(i == 0 ? "(" : "|(").append(AsciiBounds.rewrite(rule.regex())).append(')');
        }
        Pattern pattern = Pattern.compile(all.toString());
        return (text, stretch) -> {
            Matcher matcher = pattern.matcher(text);
            matcher.useTransparentBounds(true).useAnchoringBounds(false);
            return new AlternationFinder(matcher, groupOfRule, text, stretch);
        };
    }

    @Override
    public boolean find(int from) {
        int at = from;
        while (at < stretch.to()) {
            if (matcher.region(at, stretch.to()).lookingAt()) {
                return true;
            }
            at = Character.offsetByCodePoints(text, at, 1);
        }
        return false;
    }

    @Override
    public int rule() {
        int rule = 0;
        while (matcher.start(groupOfRule[rule]) < 0) {
            rule++;
        }
        return rule;
    }

    @Override
    public int start() {
        return matcher.start();
    }

    @Override
    public int end() {
        return matcher.end();
    }
}
