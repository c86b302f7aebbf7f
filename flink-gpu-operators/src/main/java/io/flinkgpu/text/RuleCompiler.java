package io.flinkgpu.text;

import io.flinkgpu.api.RuleException;
import io.flinkgpu.api.RuleSet;
import io.flinkgpu.text.automaton.ByteClasses;
import io.flinkgpu.text.automaton.Dfa;
import io.flinkgpu.text.automaton.DfaBuilder;
import io.flinkgpu.text.automaton.DfaMinimizer;
import io.flinkgpu.text.automaton.DfaWriter;
import io.flinkgpu.text.automaton.Nfa;
import io.flinkgpu.text.automaton.NfaBuilder;
import io.flinkgpu.text.automaton.Prefilter;
import io.flinkgpu.text.automaton.RequiredBytes;
import io.flinkgpu.text.automaton.StateTable;
import io.flinkgpu.text.automaton.TooLargeException;
import io.flinkgpu.text.regex.Regex;
import io.flinkgpu.text.regex.RuleErrors;
import io.flinkgpu.text.regex.RuleReader;

import org.apache.flink.annotation.Internal;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/** Compiles rule sets. */
@Internal
public final class RuleCompiler {

    /** What a rule alone may take to compile in any rule set: about a second for 255 that all do. */
    private static final long LEAST_WORK_OF_EACH = DfaBuilder.MAX_WORK / 200;

    /** What the own automaton of a rule with a text may take: gitleaks' generic rule, which matches often, has one. */
    static final long WORK_AT_A_TEXT = DfaBuilder.MAX_WORK / 15;

    /**
     * Of that, the share of a rule with a border in its middle. After a gap, as in {@code key.{0,40}\b[a-z-]{32}}, it may
     * be at any of the last characters, which takes a state for each set of these; a wider automaton hardly matches
     * more. In a pack of 1,600 rules every eighth is so.
     */
    private static final int SHARE_WITH_BORDERS = 10;

    /** What an automaton that keeps the least counts of a rule may take: most of those that fit take a fifth. */
    private static final long WORK_OF_WIDER = DfaBuilder.MAX_WORK / 100;

    /** Of a rule without an automaton of its own: the linear matcher may take so many steps a byte. */
    private static final int MOST_STATES_WITHOUT_AUTOMATON = 10_000;

    /** A rule's index in an automaton is one byte. */
    public static final int MOST_RULES_OF_ONE = 255;

    static final String SMALLER =
            ": use smaller repeat counts and fewer wide classes behind each other";

    private RuleCompiler() {}

    /**
     * Checks and compiles a rule set.
     *
     * @throws RuleException with every error of every rule
     */
    public static CompiledRules compile(RuleSet ruleSet) {
        List<Regex> regexes = RuleReader.read(ruleSet);
        AllowPatterns.check(ruleSet);
        return compile(ruleSet, regexes);
    }

    private static CompiledRules compile(RuleSet ruleSet, List<Regex> regexes) {
        if (ruleSet.size() <= MOST_RULES_OF_ONE) {
            try {
                return one(ruleSet, regexes);
            } catch (TooLargeException e) {
                // Several automata may have room for them.
            }
        }
        return new PartCutter(ruleSet, regexes, WORK_AT_A_TEXT).cut();
    }

    /**
     * Compiles a rule set into several automata, even if one has room for it.
     *
     * @throws RuleException with every error of every rule
     */
    public static CompiledRules compileInParts(RuleSet ruleSet) {
        return compileInParts(ruleSet, WORK_AT_A_TEXT);
    }

    /**
     * Likewise.
     *
     * @param maxWork steps that the own automaton of a rule with a text may take: with 0, none has one
     */
    public static CompiledRules compileInParts(RuleSet ruleSet, long maxWork) {
        return new PartCutter(ruleSet, RuleReader.read(ruleSet), maxWork).cut();
    }

    /**
     * Compiles a rule set whose regular expressions have been read into one automaton.
     *
     * @throws RuleException if that is too large
     */
    static CompiledRules compileAsOne(RuleSet ruleSet, List<Regex> regexes) {
        try {
            return one(ruleSet, regexes);
        } catch (TooLargeException e) {
            throw tooLarge(ruleSet, regexes, e);
        }
    }

    private static CompiledRules one(RuleSet ruleSet, List<Regex> regexes)
            throws TooLargeException {
        RulePart part = part(ruleSet, IntStream.range(0, ruleSet.size()).toArray(), regexes);
        List<String> warnings = warnings(ruleSet, part.dfa(), part.rivals());
        return new CompiledRules(ruleSet, List.of(part), null, warnings);
    }

    /**
     * One automaton of some rules.
     *
     * @param rules their indexes in the set, ascending
     * @param regexes of those rules
     */
    static RulePart part(RuleSet ruleSet, int[] rules, List<Regex> regexes)
            throws TooLargeException {
        Nfa nfa = nfa(regexes, all(rules.length));
        Dfa dfa = dfa(nfa, DfaBuilder.MAX_WORK);
        // They are for speed: rule sets that take long to compile go without.
        long workOfEach = Math.max(LEAST_WORK_OF_EACH, DfaBuilder.MAX_WORK / 10 / rules.length);
        Function<BitSet, Dfa> compile =
                some -> dfaOrNull(regexes, some, some.cardinality() * workOfEach);
        Prefilter prefilter =
                Prefilter.choose(regexes.stream().map(RequiredBytes::of).toList(), compile);
        IntPredicate refusable = refusable(ruleSet);
        Rivals rivals =
                new RivalsBuilder(rules.length, compile).build(rule -> refusable.test(rules[rule]));
        return new RulePart(rules, nfa, dfa, prefilter, rivals, false);
    }

    /**
     * The automaton of one rule.
     *
     * @param rule its index in the set
     */
    static RulePart alone(int rule, Regex regex) throws TooLargeException {
        Nfa nfa = nfa(List.of(regex), all(1));
        return alone(rule, nfa, dfa(nfa, DfaBuilder.MAX_WORK), false);
    }

    private static RulePart alone(int rule, Nfa nfa, Dfa dfa, boolean isWider) {
        Rivals none = new Rivals(new int[] {Rivals.NONE}, List.of());
        return new RulePart(new int[] {rule}, nfa, dfa, null, none, isWider);
    }

    /**
     * The automaton of one rule, or a wider one if its own is too large.
     *
     * @param rule its index in the set
     * @param maxWork steps that its own may take where a wider one can take its place
     */
    static RulePart aloneOrWider(int rule, Regex regex, long maxWork) throws TooLargeException {
        Nfa nfa = nfa(List.of(regex), all(1));
        boolean mayBeWider = nfa.states() <= MOST_STATES_WITHOUT_AUTOMATON;
        try {
            long ownWork = Widened.hasInnerBorder(regex) ? maxWork / SHARE_WITH_BORDERS : maxWork;
            Dfa dfa = dfa(nfa, mayBeWider ? ownWork : DfaBuilder.MAX_WORK);
            return alone(rule, nfa, dfa, false);
        } catch (TooLargeException e) {
            if (!mayBeWider) {
                throw e;
            }
            Dfa wider = wider(regex);
            return wider != null
                    ? alone(rule, nfa, wider, true)
                    : alone(rule, nfa, dfa(nfa, DfaBuilder.MAX_WORK), false);
        }
    }

    /** Null if it is too large, too. */
    private static Dfa wider(Regex regex) {
        Dfa dfa = dfaOfAny(Widened.withoutLimits(regex), WORK_OF_WIDER);
        if (dfa == null) {
            return dfaOfAny(Widened.withoutCounts(regex), DfaBuilder.MAX_WORK);
        }
        // Its borders alone, which that one is without, may keep a rule from ever matching.
        Dfa withBorders =
                Widened.hasInnerBorder(regex)
                        ? dfaOfAny(Widened.withoutCounts(regex), WORK_OF_WIDER)
                        : null;
        return withBorders != null && withBorders.matchLimit() <= 1 ? withBorders : dfa;
    }

    /** Of one rule, only to tell where a match starts; null if it gets too large. */
    private static Dfa dfaOfAny(Regex regex, long maxWork) {
        try {
            Nfa nfa = nfa(List.of(regex), all(1));
            ByteClasses classes = new ByteClasses(nfa);
            return dfa(DfaBuilder.buildOfAny(nfa, classes, maxWork), classes);
        } catch (TooLargeException e) {
            return null;
        }
    }

    private static BitSet all(int rules) {
        BitSet all = new BitSet();
        all.set(0, rules);
        return all;
    }

    /** Rules of which a match may be refused: by the judge, or as the rule is bound to other fields. */
    private static IntPredicate refusable(RuleSet ruleSet) {
        MatchJudge judge = new MatchJudge(ruleSet);
        Set<String> bound =
                ruleSet.structure().map(it -> it.bound().keySet()).orElse(Collections.emptySet());
        return rule -> judge.judges(rule) || bound.contains(ruleSet.rule(rule).name());
    }

    /** Null if it gets too large, as it may where the rules left out had cut matches short. */
    private static Dfa dfaOrNull(List<Regex> regexes, BitSet rules, long maxWork) {
        try {
            return dfa(nfa(regexes, rules), maxWork);
        } catch (TooLargeException e) {
            return null;
        }
    }

    private static Nfa nfa(List<Regex> regexes, BitSet rules) throws TooLargeException {
        NfaBuilder builder = new NfaBuilder(true);
        for (int rule = rules.nextSetBit(0); rule >= 0; rule = rules.nextSetBit(rule + 1)) {
            builder.add(rule, regexes.get(rule));
        }
        return builder.build();
    }

    static Dfa dfa(Nfa nfa, long maxWork) throws TooLargeException {
        ByteClasses classes = new ByteClasses(nfa);
        return dfa(DfaBuilder.build(nfa, classes, maxWork), classes);
    }

    private static Dfa dfa(StateTable table, ByteClasses classes) throws TooLargeException {
        return DfaWriter.write(DfaMinimizer.minimize(table), classes);
    }

    private static List<String> warnings(RuleSet ruleSet, Dfa dfa, Rivals rivals) {
        BitSet matched = matchedBy(dfa);
        rivals.automata().forEach(automaton -> matched.or(matchedBy(automaton)));
        for (int rule = 0; rule < ruleSet.size(); rule++) {
            if (rivals.of(rule) == Rivals.UNKNOWN) {
                matched.set(rule + 1, ruleSet.size());
            }
        }
        List<String> warnings = new ArrayList<>();
        for (int rule = 0; rule < ruleSet.size(); rule++) {
            if (!matched.get(rule)) {
                warnings.add(neverMatches(ruleSet, rule));
            }
        }
        return warnings;
    }

    static String neverMatches(RuleSet ruleSet, int rule) {
        return RuleErrors.line(
                ruleSet,
                rule,
                "it can never match: no text does, or an earlier rule always matches first;"
                        + " correct or remove it");
    }

    /** What is wrong with a rule that is too large alone. */
    static String tooLargeAlone(RuleSet ruleSet, int rule, TooLargeException cause) {
        return RuleErrors.line(
                ruleSet, rule, "too large, it needs more than " + cause.getMessage() + SMALLER);
    }

    private static BitSet matchedBy(Dfa dfa) {
        BitSet rules = new BitSet();
        for (int state = 1; state < dfa.matchLimit(); state++) {
            rules.set(dfa.rule(state));
        }
        return rules;
    }

    /** Names the rule that needs most states alone. */
    private static RuleException tooLarge(
            RuleSet ruleSet, List<Regex> regexes, TooLargeException cause) {
        BitSet rules = all(ruleSet.size());
        long workOfEach = Math.max(1_000_000, 2 * DfaBuilder.MAX_WORK / rules.cardinality());
        int largest = rules.nextSetBit(0);
        int mostStates = -1;
        String needs = "";
        for (int rule = largest; rule >= 0; rule = rules.nextSetBit(rule + 1)) {
            BitSet alone = new BitSet();
            alone.set(rule);
            try {
                int states = dfa(nfa(regexes, alone), workOfEach).states();
                if (states > mostStates) {
                    mostStates = states;
                    largest = rule;
                    needs = states + " states";
                }
            } catch (TooLargeException e) {
                largest = rule;
                needs = "more than " + e.getMessage();
                break;
            }
        }
        String problem =
                rules.cardinality() == 1
                        ? "it needs " + needs
                        : "the rule set needs more than %s; this rule adds most, alone it needs %s"
                                .formatted(cause.getMessage(), needs);
        return new RuleException(
                List.of(RuleErrors.line(ruleSet, largest, "too large, " + problem + SMALLER)));
    }
}
