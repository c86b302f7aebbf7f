package io.flinkgpu.testkit;

import io.flinkgpu.api.Action;
import io.flinkgpu.api.AllowList;
import io.flinkgpu.api.Rule;
import io.flinkgpu.api.Validator;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Makes a failing case small: fewer rules, smaller regexes, a shorter row, as long as it fails. */
final class Shrinker {

    /** Whether a case still fails. */
    interface Failing {
        boolean test(List<RuleGen.Generated> rules, byte[] row);
    }

    private static final int MAX_TRIES = 4000;

    private final Failing failing;
    private List<RuleGen.Generated> rules;
    private byte[] row;
    private int tries;

    Shrinker(List<RuleGen.Generated> rules, byte[] row, Failing failing) {
        this.rules = rules;
        this.row = row;
        this.failing = failing;
    }

    List<RuleGen.Generated> rules() {
        return rules;
    }

    byte[] row() {
        return row;
    }

    Shrinker shrink() {
        boolean smaller = true;
        while (smaller && tries < MAX_TRIES) {
            smaller = removeRule() || shortenRow() || simplifyRule();
        }
        return this;
    }

    private boolean accept(List<RuleGen.Generated> newRules, byte[] newRow) {
        tries++;
        boolean fails = tries < MAX_TRIES && failing.test(newRules, newRow);
        if (fails) {
            rules = newRules;
            row = newRow;
        }
        return fails;
    }

    private boolean removeRule() {
        for (int i = 0; i < rules.size() && rules.size() > 1; i++) {
            List<RuleGen.Generated> fewer = new ArrayList<>(rules);
            fewer.remove(i);
            if (accept(fewer, row)) {
                return true;
            }
        }
        return false;
    }

    private boolean shortenRow() {
        for (int length = row.length / 2 + 1; length > 0; length /= 2) {
            for (int at = 0; at + length <= row.length; at += length) {
                byte[] shorter = Arrays.copyOf(row, row.length - length);
                System.arraycopy(row, at + length, shorter, at, row.length - at - length);
                if (accept(rules, shorter)) {
                    return true;
                }
            }
        }
        return false;
    }

    private boolean simplifyRule() {
        for (int i = 0; i < rules.size(); i++) {
            Rule rule = rules.get(i).rule();
            RegexNode tree = rules.get(i).tree();
            List<RuleGen.Generated> simpler = new ArrayList<>();
            if (!rule.validator().equals(Validator.NONE)) {
                simpler.add(new RuleGen.Generated(rule.withValidator(Validator.NONE), tree));
            }
            if (!rule.allowList().isEmpty()) {
                simpler.add(new RuleGen.Generated(rule.withAllowList(AllowList.EMPTY), tree));
            }
            Action label = Action.label("<" + i + ">");
            if (!rule.action().equals(label)) {
                simpler.add(new RuleGen.Generated(withAction(rule, label), tree));
            }
            for (RegexNode smaller : tree.simpler()) {
                simpler.add(new RuleGen.Generated(withRegex(rule, smaller.regex()), smaller));
            }
            for (RuleGen.Generated candidate : simpler) {
                List<RuleGen.Generated> changed = new ArrayList<>(rules);
                changed.set(i, candidate);
                if (accept(changed, row)) {
                    return true;
                }
            }
        }
        return false;
    }

    private static Rule withRegex(Rule rule, String regex) {
        return new Rule(
                rule.name(),
                regex,
                rule.action(),
                rule.validator(),
                rule.allowList(),
                rule.group(),
                rule.context(),
                rule.confidence());
    }

    private static Rule withAction(Rule rule, Action action) {
        return new Rule(
                rule.name(),
                rule.regex(),
                action,
                rule.validator(),
                rule.allowList(),
                rule.group(),
                rule.context(),
                rule.confidence());
    }
}
