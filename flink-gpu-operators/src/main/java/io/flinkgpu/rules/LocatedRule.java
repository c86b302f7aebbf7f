package io.flinkgpu.rules;

import io.flinkgpu.api.Rule;
import io.flinkgpu.api.RuleSet;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A rule and where it comes from.
 *
 * @param line counted from 1; 0 if it is a built-in rule
 * @param rule null if there are errors in it
 */
record LocatedRule(int line, String name, Rule rule) {

    /** Names differ, and there are neither too few rules nor too many. */
    static void checkTogether(List<LocatedRule> rules, Problems problems) {
        Map<String, LocatedRule> byName = new HashMap<>();
        for (LocatedRule located : rules) {
            String name = located.name();
            LocatedRule first = byName.putIfAbsent(name, located);
            if (first != null && located.line() == 0) {
                problems.add(
                        first.line(),
                        "rule "
                                + Problems.show(name)
                                + " is a built-in rule too; rename it, or add '"
                                + name
                                + "' to 'disable'");
            } else if (first != null) {
                problems.add(
                        located.line(),
                        "rule "
                                + Problems.show(name)
                                + " is already in line "
                                + first.line()
                                + "; rename one of them");
            }
        }
        if (rules.size() > RuleSet.MAX_RULES) {
            problems.add(
                    0,
                    "a rule set holds at most "
                            + RuleSet.MAX_RULES
                            + " rules: rules="
                            + rules.size()
                            + "; join some with '|'");
        }
    }

    /** What is wrong with a name, or null. */
    static String nameProblem(String name) {
        if (name.isBlank()) {
            return "the name is empty; write one";
        }
        if (name.codePoints().anyMatch(Problems::isUnprintable)) {
            return "name "
                    + Problems.show(name)
                    + " has a line break or another control character in it; remove it";
        }
        return name.equals(name.strip())
                ? null
                : "name " + Problems.show(name) + " has spaces at an end; remove them";
    }
}
