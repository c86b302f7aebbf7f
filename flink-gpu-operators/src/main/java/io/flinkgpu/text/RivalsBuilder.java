package io.flinkgpu.text;

import io.flinkgpu.text.automaton.Dfa;
import io.flinkgpu.text.automaton.Overlap;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.IntPredicate;

/** Finds the {@link Rivals} of a rule set, and makes their automata. */
final class RivalsBuilder {

    /** Pairs of states that are compared to find rivals; about a second of work. */
    private static final long MAX_PAIRS = 1 << 20;

    private static final int MAX_TABLE_BYTES = 4 << 20;

    private final int rules;
    private final Function<BitSet, Dfa> compile;

    /** The automaton of each rule that one was asked for; empty if it is too large. */
    private final Map<Integer, Optional<Dfa>> alone = new HashMap<>();

    private final Overlap overlap = new Overlap(MAX_PAIRS);
    private final Map<BitSet, Integer> numbers = new HashMap<>();
    private final List<Dfa> automata = new ArrayList<>();
    private long tableBytes;

    /**
     * @param compile makes the automaton of some rules, or null if it is too large
     */
    RivalsBuilder(int rules, Function<BitSet, Dfa> compile) {
        this.rules = rules;
        this.compile = compile;
    }

    /**
     * @param isJudged whether a rule's matches can be refused or kept
     */
    Rivals build(IntPredicate isJudged) {
        int[] automatonOf = new int[rules];
        for (int rule = 0; rule < rules; rule++) {
            BitSet rivals = isJudged.test(rule) ? rivals(rule) : new BitSet();
            automatonOf[rule] =
                    rivals.isEmpty()
                            ? Rivals.NONE
                            : numbers.computeIfAbsent(rivals, this::addAutomaton);
        }
        return new Rivals(automatonOf, automata);
    }

    private BitSet rivals(int rule) {
        BitSet rivals = new BitSet();
        for (int later = rule + 1; later < rules; later++) {
            Optional<Dfa> first = alone(rule);
            Optional<Dfa> second = alone(later);
            rivals.set(
                    later,
                    first.isEmpty()
                            || second.isEmpty()
                            || overlap.isPossible(first.get(), second.get()));
        }
        return rivals;
    }

    private Optional<Dfa> alone(int rule) {
        return alone.computeIfAbsent(
                rule,
                missing -> {
                    BitSet only = new BitSet();
                    only.set(missing);
                    return Optional.ofNullable(compile.apply(only));
                });
    }

    private int addAutomaton(BitSet rivals) {
        int only = rivals.nextSetBit(0);
        Dfa dfa = rivals.cardinality() == 1 ? alone(only).orElse(null) : compile.apply(rivals);
        long bytes = dfa == null ? 0 : (long) Character.BYTES * dfa.transitionTable().length;
        if (dfa == null || tableBytes + bytes > MAX_TABLE_BYTES) {
            return Rivals.UNKNOWN;
        }
        tableBytes += bytes;
        automata.add(dfa);
        return automata.size() - 1;
    }
}
