package io.flinkgpu.text;

import io.flinkgpu.api.Action;
import io.flinkgpu.api.Rule;
import io.flinkgpu.api.RuleSet;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Rule sets for tests. */
final class TestRules {

    private TestRules() {}

    static RuleSet of(String... regexes) {
        return of(Arrays.asList(regexes));
    }

    static RuleSet of(List<String> regexes) {
        List<Rule> rules = new ArrayList<>();
        for (String regex : regexes) {
            rules.add(Rule.of("rule" + (rules.size() + 1), regex, new Action.Label("[X]")));
        }
        return RuleSet.of(rules);
    }
}
