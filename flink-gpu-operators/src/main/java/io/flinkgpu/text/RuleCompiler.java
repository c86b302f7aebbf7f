package io.flinkgpu.text;

import io.flinkgpu.api.RuleException;
import io.flinkgpu.api.RuleSet;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/** Compiles rule sets. */
public final class RuleCompiler {

    private RuleCompiler() {}

    /**
     * Checks and compiles a rule set.
     *
     * @throws RuleException with every error of every rule
     */
    public static CompiledRules compile(RuleSet ruleSet) {
        List<Regex> regexes = RuleReader.read(ruleSet);
        BitSet all = new BitSet();
        all.set(0, ruleSet.size());
        long[][] requiredBytes = new long[ruleSet.size()][];
        for (int rule = 0; rule < ruleSet.size(); rule++) {
            requiredBytes[rule] = RequiredBytes.of(regexes.get(rule));
        }
        try {
            Nfa nfa = nfa(regexes, all);
            Dfa dfa = dfa(nfa);
            Gate gate = Gate.choose(requiredBytes, rules -> dfaOfFewer(regexes, rules));
            return new CompiledRules(ruleSet, nfa, dfa, gate, requiredBytes, List.of());
        } catch (TooLargeException e) {
            throw tooLarge(ruleSet, regexes, all, e);
        }
    }

    /**
     * Compiles some rules of a set. The rules keep their indexes in the set.
     *
     * @param rules the indexes of the rules, at least one
     * @throws RuleException with every error of every rule of the set
     */
    public static Dfa compileSubset(RuleSet ruleSet, BitSet rules) {
        List<Regex> regexes = RuleReader.read(ruleSet);
        try {
            return dfa(nfa(regexes, rules));
        } catch (TooLargeException e) {
            throw tooLarge(ruleSet, regexes, rules, e);
        }
    }

    private static Dfa dfaOfFewer(List<Regex> regexes, BitSet rules) {
        try {
            return dfa(nfa(regexes, rules));
        } catch (TooLargeException e) {
            throw new IllegalStateException("fewer rules need no more states", e);
        }
    }

    private static Nfa nfa(List<Regex> regexes, BitSet rules) throws TooLargeException {
        NfaBuilder builder = new NfaBuilder();
        for (int rule = rules.nextSetBit(0); rule >= 0; rule = rules.nextSetBit(rule + 1)) {
            builder.add(rule, regexes.get(rule));
        }
        return builder.build();
    }

    private static Dfa dfa(Nfa nfa) throws TooLargeException {
        ByteClasses classes = new ByteClasses(nfa);
        return DfaWriter.write(DfaMinimizer.minimize(DfaBuilder.build(nfa, classes)), classes);
    }

    private static RuleException tooLarge(
            RuleSet ruleSet, List<Regex> regexes, BitSet rules, TooLargeException cause) {
        List<String> errors = new ArrayList<>();
        errors.add(cause.getMessage());
        return new RuleException(errors);
    }
}
