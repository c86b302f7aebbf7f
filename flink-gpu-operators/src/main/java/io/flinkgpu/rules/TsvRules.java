package io.flinkgpu.rules;

import io.flinkgpu.api.Action;
import io.flinkgpu.api.Rule;
import io.flinkgpu.api.RuleSet;

import java.util.ArrayList;
import java.util.List;

/** Reads {@code name<TAB>regex<TAB>label} lines; blank lines and those that start with '#' are skipped. */
final class TsvRules {

    private final Problems problems;
    private final List<LocatedRule> rules = new ArrayList<>();
    private int candidates;

    TsvRules(Problems problems) {
        this.problems = problems;
    }

    RuleSet read(String text) {
        int line = 0;
        for (String content : (Iterable<String>) text.lines()::iterator) {
            line++;
            if (!content.isBlank() && content.charAt(0) != '#') {
                candidates++;
                readRule(line, content.split("\t", -1));
            }
        }
        if (candidates == 0) {
            throw problems.fail(
                    0, "has no rules; write at least one line: name<TAB>regex<TAB>label");
        }
        return RuleFiles.toRuleSet(rules, problems);
    }

    private void readRule(int line, String[] columns) {
        String where = "rule " + Problems.show(columns[0]) + " (#" + candidates + "): ";
        if (columns.length != 3) {
            problems.add(
                    line,
                    where
                            + "3 columns are needed: columns="
                            + columns.length
                            + "; write name<TAB>regex<TAB>label, and \\t for a tab in the regex");
            return;
        }
        String nameProblem = LocatedRule.nameProblem(columns[0]);
        if (nameProblem != null) {
            problems.add(line, where + nameProblem);
        }
        if (columns[1].isEmpty()) {
            problems.add(line, where + "the regex is empty; write one");
        }
        if (columns[2].isEmpty()) {
            problems.add(
                    line,
                    where + "the label is empty; write one, or use a YAML file with 'drop: true'");
        }
        if (nameProblem == null) {
            Rule rule = Rule.of(columns[0], columns[1], Action.label(columns[2]));
            rules.add(new LocatedRule(line, columns[0], rule));
        }
    }
}
