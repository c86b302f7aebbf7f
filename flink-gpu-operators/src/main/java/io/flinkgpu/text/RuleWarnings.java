package io.flinkgpu.text;

import io.flinkgpu.api.RuleSet;
import io.flinkgpu.text.regex.Regex;
import io.flinkgpu.text.regex.RuleErrors;
import io.flinkgpu.text.regex.RuleReader;

import org.apache.flink.annotation.Internal;

import java.util.ArrayList;
import java.util.List;

/** What rules say that is hardly meant, or lets secrets through. */
@Internal
public final class RuleWarnings {

    private RuleWarnings() {}

    /**
     * One line each, in rule order.
     *
     * @throws io.flinkgpu.api.RuleException for rules that cannot be compiled
     */
    public static List<String> of(RuleSet rules) {
        List<Regex> regexes = RuleReader.read(rules);
        List<String> warnings = new ArrayList<>();
        for (int rule = 0; rule < rules.size(); rule++) {
            if (endsLazily(regexes.get(rule))) {
                warnings.add(
                        RuleErrors.line(
                                rules,
                                rule,
                                "it ends in a lazy repeat, which always matches as little as it may,"
                                        + " and the rest stays; make it greedy, or add what"
                                        + " follows"));
            }
        }
        return warnings;
    }

    private static boolean endsLazily(Regex regex) {
        if (regex instanceof Regex.Repeat repeat) {
            return !repeat.greedy() && repeat.min() < repeat.max() || endsLazily(repeat.body());
        }
        if (regex instanceof Regex.Concat concat) {
            List<Regex> parts = concat.parts();
            return !parts.isEmpty() && endsLazily(parts.get(parts.size() - 1));
        }
        if (regex instanceof Regex.Group group) {
            return endsLazily(group.body());
        }
        return regex instanceof Regex.Alternate alternate
                && alternate.options().stream().anyMatch(RuleWarnings::endsLazily);
    }
}
