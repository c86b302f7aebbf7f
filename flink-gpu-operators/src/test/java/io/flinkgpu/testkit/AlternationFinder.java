package io.flinkgpu.testkit;

import io.flinkgpu.api.RuleSet;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds matches by the alternation {@code (r1)|(r2)|...} itself, of all rules or those from one on. For
 * rules whose group names differ and that have no back references.
 */
final class AlternationFinder implements OracleRedactor.Finder {

    private final List<Matcher> matcherFrom;
    private final int[] groupsOfRule;
    private final int length;
    private int rule;
    private int end;
    private int ruleGroup;
    private Matcher last;

    private AlternationFinder(List<Matcher> matcherFrom, int[] groupsOfRule, int length) {
        this.matcherFrom = matcherFrom;
        this.groupsOfRule = groupsOfRule;
        this.length = length;
    }

    static OracleRedactor.FinderFactory factory(RuleSet rules) {
        List<Pattern> patternFrom = new ArrayList<>();
        int[] groupsOfRule = new int[rules.size()];
        String all = "";
        for (int i = rules.size() - 1; i >= 0; i--) {
            String regex = rules.rule(i).regex();
            groupsOfRule[i] = 1 + OracleRedactor.compile(regex).matcher("").groupCount();
            String own = "(" + AsciiBounds.rewrite(OracleRedactor.inJava(regex)) + ")";
            all = all.isEmpty() ? own : own + "|" + all;
            patternFrom.add(0, Pattern.compile(all));
        }
        return text ->
                new AlternationFinder(
                        patternFrom.stream()
                                .map(
                                        pattern ->
                                                pattern.matcher(text)
                                                        .useTransparentBounds(true)
                                                        .useAnchoringBounds(false))
                                .toList(),
                        groupsOfRule,
                        text.length());
    }

    @Override
    public boolean find(int at, int firstRule) {
        Matcher matcher = matcherFrom.get(firstRule);
        if (!matcher.region(at, length).lookingAt()) {
            return false;
        }
        rule = firstRule;
        int group = 1;
        while (matcher.start(group) < 0) {
            group += groupsOfRule[rule++];
        }
        end = matcher.end();
        ruleGroup = group;
        last = matcher;
        return true;
    }

    @Override
    public int groupStart(String group) {
        if (group.equals("*")) {
            return firstGroup() == 0 ? -1 : last.start(firstGroup());
        }
        return Character.isDigit(group.charAt(0))
                ? last.start(ruleGroup + Integer.parseInt(group))
                : last.start(OracleRedactor.nameInJava(group));
    }

    @Override
    public int groupEnd(String group) {
        if (group.equals("*")) {
            return firstGroup() == 0 ? -1 : last.end(firstGroup());
        }
        return Character.isDigit(group.charAt(0))
                ? last.end(ruleGroup + Integer.parseInt(group))
                : last.end(OracleRedactor.nameInJava(group));
    }

    private int firstGroup() {
        int lastGroup = ruleGroup + groupsOfRule[rule] - 1;
        return MatchFinder.firstGroup(last, ruleGroup + 1, lastGroup);
    }

    @Override
    public int rule() {
        return rule;
    }

    @Override
    public int end() {
        return end;
    }
}
