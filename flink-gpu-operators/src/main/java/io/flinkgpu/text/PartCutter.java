package io.flinkgpu.text;

import io.flinkgpu.api.RuleException;
import io.flinkgpu.api.RuleSet;
import io.flinkgpu.text.automaton.LiteralIndex;
import io.flinkgpu.text.automaton.Literals;
import io.flinkgpu.text.automaton.TooLargeException;
import io.flinkgpu.text.regex.Regex;
import io.flinkgpu.text.regex.RuleErrors;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ForkJoinPool;
import java.util.stream.IntStream;

/**
 * Cuts a rule set into several automata: one for each rule with a text that all of its matches hold, which is looked
 * for where that text is, and as few as may be for the other rules, which are looked for everywhere.
 */
final class PartCutter {

    /** The most bytes of transitions of all automata of a set. */
    static final long MAX_TABLE_BYTES = 256L << 20;

    /** Each may take up to 80 MB of the heap while it builds an automaton. */
    private static final int MOST_THREADS = 4;

    /** States of rules, each alone, that are tried as one automaton first. */
    private static final int STATES_OF_ONE = 12_000;

    private final RuleSet ruleSet;
    private final List<Regex> regexes;
    private final long maxWork;
    private final List<String> errors = new ArrayList<>();
    private final List<String> warnings = new ArrayList<>();
    private final List<RulePart> everywhere = new ArrayList<>();
    private final List<RulePart> atTexts = new ArrayList<>();
    private final List<Literals> texts = new ArrayList<>();

    /**
     * @param maxWork steps that the own automaton of a rule with a text may take
     */
    PartCutter(RuleSet ruleSet, List<Regex> regexes, long maxWork) {
        this.ruleSet = ruleSet;
        this.regexes = regexes;
        this.maxWork = maxWork;
    }

    CompiledRules cut() {
        List<Literals> textsOf = texts();
        List<Alone> all = alone(textsOf);
        List<RulePart> withoutText = new ArrayList<>();
        for (int rule = 0; rule < ruleSet.size(); rule++) {
            RulePart part = all.get(rule).part;
            if (part == null) {
                errors.add(RuleCompiler.tooLargeAlone(ruleSet, rule, all.get(rule).tooLarge));
                continue;
            }
            if (part.dfa().matchLimit() <= 1) {
                warnings.add(RuleCompiler.neverMatches(ruleSet, rule));
            }
            if (textsOf.get(rule) == null) {
                withoutText.add(part);
            } else {
                atTexts.add(part);
                texts.add(textsOf.get(rule));
            }
        }
        if (!errors.isEmpty()) {
            throw new RuleException(errors);
        }
        join(withoutText);
        List<RulePart> parts = new ArrayList<>(everywhere);
        parts.addAll(atTexts);
        requireRoom(parts);
        return new CompiledRules(ruleSet, parts, new LiteralIndex(texts), warnings);
    }

    /** The automaton of each rule by itself; no automaton needs another one. */
    private List<Alone> alone(List<Literals> textsOf) {
        int cores = Runtime.getRuntime().availableProcessors();
        ForkJoinPool threads = new ForkJoinPool(Math.min(MOST_THREADS, cores));
        try {
            return threads.submit(
                            () ->
                                    IntStream.range(0, ruleSet.size())
                                            .parallel()
                                            .mapToObj(i -> alone(i, textsOf.get(i) != null))
                                            .toList())
                    .join();
        } finally {
            threads.shutdown();
        }
    }

    /** The texts of each rule; null where there are none, or more than there is room for. */
    private List<Literals> texts() {
        List<Literals> all = new ArrayList<>();
        int room = LiteralIndex.MAX_TEXTS;
        for (Regex regex : regexes) {
            Literals literals = Literals.of(regex);
            boolean fits = literals != null && literals.texts().size() <= room;
            room -= fits ? literals.texts().size() : 0;
            all.add(fits ? literals : null);
        }
        return all;
    }

    /** The automaton of a rule, or why there is none. */
    private record Alone(RulePart part, TooLargeException tooLarge) {}

    private Alone alone(int rule, boolean hasText) {
        Regex regex = regexes.get(rule);
        try {
            RulePart part =
                    hasText
                            ? RuleCompiler.aloneOrWider(rule, regex, maxWork)
                            : RuleCompiler.alone(rule, regex);
            return new Alone(part, null);
        } catch (TooLargeException e) {
            return new Alone(null, e);
        }
    }

    /** Joins rules to automata in their order. */
    private void join(List<RulePart> rules) {
        int first = 0;
        int states = 0;
        for (int next = 0; next < rules.size(); next++) {
            int more = rules.get(next).dfa().states();
            boolean full = next - first == RuleCompiler.MOST_RULES_OF_ONE;
            if (next > first && (full || states + more > STATES_OF_ONE)) {
                addAsOne(rules.subList(first, next));
                first = next;
                states = 0;
            }
            states += more;
        }
        if (first < rules.size()) {
            addAsOne(rules.subList(first, rules.size()));
        }
    }

    /** Adds rules as one automaton, or as several if that gets too large. */
    private void addAsOne(List<RulePart> rules) {
        int[] indexes = rules.stream().mapToInt(rule -> rule.rules()[0]).toArray();
        List<Regex> some = rules.stream().map(rule -> regexes.get(rule.rules()[0])).toList();
        try {
            everywhere.add(RuleCompiler.part(ruleSet, indexes, some));
        } catch (TooLargeException e) {
            if (rules.size() == 1) {
                everywhere.add(rules.get(0));
            } else {
                int middle = rules.size() / 2;
                addAsOne(rules.subList(0, middle));
                addAsOne(rules.subList(middle, rules.size()));
            }
        }
    }

    private void requireRoom(List<RulePart> parts) {
        long bytes = 0;
        RulePart largest = parts.get(0);
        for (RulePart part : parts) {
            bytes += tableBytes(part);
            largest = tableBytes(part) > tableBytes(largest) ? part : largest;
        }
        if (bytes > MAX_TABLE_BYTES) {
            throw new RuleException(
                    List.of(
                            RuleErrors.line(
                                    ruleSet,
                                    largest.rules()[0],
                                    "too large, the rule set needs more than "
                                            + MAX_TABLE_BYTES
                                            + " bytes of transitions; this rule is one of those that"
                                            + " add most, "
                                            + tableBytes(largest)
                                            + RuleCompiler.SMALLER)));
        }
    }

    private static long tableBytes(RulePart part) {
        return (long) Character.BYTES * part.dfa().transitionTable().length;
    }
}
