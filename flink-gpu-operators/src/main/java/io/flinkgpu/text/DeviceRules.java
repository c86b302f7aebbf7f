package io.flinkgpu.text;

import io.flinkgpu.api.Action;
import io.flinkgpu.api.Context;
import io.flinkgpu.api.Rule;
import io.flinkgpu.api.RuleException;
import io.flinkgpu.api.RuleSet;
import io.flinkgpu.text.automaton.DfaBuilder;
import io.flinkgpu.text.automaton.TooLargeException;
import io.flinkgpu.text.regex.Regex;
import io.flinkgpu.text.regex.RuleReader;

import org.apache.flink.annotation.Internal;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * Rules for a device that leaves rows with a drop to the host: each rule that it has no tables for becomes a drop
 * that matches at least where the rule does, in rows with one of the words of its context. Whatever the device decides
 * before it comes upon such a match, it decides as the rules do, so that all other rows are finished there.
 */
@Internal
public final class DeviceRules {

    /** Shorter words the device does not look for. */
    public static final int LEAST_WORD_BYTES = 3;

    private DeviceRules() {}

    /**
     * The rules for the device; the same if there is none that it has no tables for.
     *
     * @throws RuleException if they are too large
     */
    public static CompiledRules of(CompiledRules rules) {
        RuleSet ruleSet = rules.ruleSet();
        List<Regex> regexes = RuleReader.read(ruleSet);
        List<Rule> relaxed = new ArrayList<>();
        BitSet withLookbehind = new BitSet();
        BitSet ofWider = new BitSet();
        rules.parts().stream()
                .filter(RulePart::isWider)
                .forEach(part -> ofWider.set(part.rules()[0]));
        boolean same = true;
        for (int i = 0; i < ruleSet.size(); i++) {
            Rule rule = ruleSet.rule(i);
            if (isForHost(rule) || isForHost(regexes.get(i)) || ofWider.get(i)) {
                withLookbehind.set(i, isForHost(regexes.get(i)));
                regexes.set(i, withoutLookbehind(regexes.get(i)));
                Rule drop = Rule.of(rule.name(), rule.regex(), Action.drop());
                rule = hasWordsForDevice(rule) ? drop.withContext(rule.context()) : drop;
                same = false;
            }
            relaxed.add(rule);
        }
        if (same) {
            return rules;
        }
        RuleSet forDevice = RuleSet.of(relaxed);
        if (rules.isOneAutomaton()) {
            return RuleCompiler.compileAsOne(forDevice, regexes);
        }
        List<RulePart> parts = new ArrayList<>();
        for (RulePart part : rules.parts()) {
            if (Arrays.stream(part.rules()).anyMatch(withLookbehind::get)) {
                // Those that had room have it without looking behind, too.
                long maxWork = part.isWider() ? RuleCompiler.WORK_AT_A_TEXT : DfaBuilder.MAX_WORK;
                addAsOne(forDevice, part.rules(), regexes, maxWork, parts);
            } else {
                parts.add(part);
            }
        }
        return new CompiledRules(forDevice, parts, rules.literals(), List.of());
    }

    /** Adds rules as one automaton, or as several if that gets too large. */
    private static void addAsOne(
            RuleSet ruleSet, int[] rules, List<Regex> regexes, long maxWork, List<RulePart> to) {
        try {
            to.add(
                    rules.length == 1
                            ? RuleCompiler.aloneOrWider(rules[0], regexes.get(rules[0]), maxWork)
                            : RuleCompiler.part(
                                    ruleSet,
                                    rules,
                                    Arrays.stream(rules).mapToObj(regexes::get).toList()));
        } catch (TooLargeException e) {
            if (rules.length == 1) {
                throw new RuleException(List.of(RuleCompiler.tooLargeAlone(ruleSet, rules[0], e)));
            }
            int middle = rules.length / 2;
            int[] first = Arrays.copyOf(rules, middle);
            int[] others = Arrays.copyOfRange(rules, middle, rules.length);
            addAsOne(ruleSet, first, regexes, maxWork, to);
            addAsOne(ruleSet, others, regexes, maxWork, to);
        }
    }

    /** Of what is around a match the device knows no more than whether a word is in the record. */
    private static boolean isForHost(Rule rule) {
        return !rule.group().isEmpty()
                || rule.action() instanceof Action.FormatMask
                || rule.action() instanceof Action.Counter
                || RowContext.isNeeded(rule.withContext(Context.NONE))
                || !rule.context().isEmpty()
                        && (rule.context().before() != Context.RECORD || !hasWordsForDevice(rule));
    }

    private static boolean hasWordsForDevice(Rule rule) {
        return rule.context().words().stream()
                .allMatch(word -> Words.lowerCase(word).length >= LEAST_WORD_BYTES);
    }

    private static boolean isForHost(Regex regex) {
        if (regex instanceof Regex.Neighbor neighbor) {
            return neighbor.behind();
        }
        if (regex instanceof Regex.Repeat repeat) {
            return isForHost(repeat.body());
        }
        if (regex instanceof Regex.Group group) {
            return isForHost(group.body());
        }
        if (regex instanceof Regex.Alternate alternate) {
            return alternate.options().stream().anyMatch(DeviceRules::isForHost);
        }
        return regex instanceof Regex.Concat concat
                && concat.parts().stream().anyMatch(DeviceRules::isForHost);
    }

    private static Regex withoutLookbehind(Regex regex) {
        if (regex instanceof Regex.Neighbor neighbor && neighbor.behind()) {
            return Regex.Concat.EMPTY;
        }
        if (regex instanceof Regex.Repeat repeat) {
            Regex body = withoutLookbehind(repeat.body());
            return new Regex.Repeat(body, repeat.min(), repeat.max(), repeat.greedy());
        }
        if (regex instanceof Regex.Group group) {
            return withoutLookbehind(group.body());
        }
        if (regex instanceof Regex.Alternate alternate) {
            return new Regex.Alternate(
                    alternate.options().stream().map(DeviceRules::withoutLookbehind).toList());
        }
        if (regex instanceof Regex.Concat concat) {
            return new Regex.Concat(
                    concat.parts().stream().map(DeviceRules::withoutLookbehind).toList());
        }
        return regex;
    }
}
