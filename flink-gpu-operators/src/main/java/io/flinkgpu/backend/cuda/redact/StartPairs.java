package io.flinkgpu.backend.cuda.redact;

import io.flinkgpu.text.automaton.Dfa;

import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;

/**
 * The tables with which the kernels rule out most starts by a start's byte and the next one. They may say
 * yes where no match starts, and never say no where one does.
 *
 * <p>Bytes are put into {@value RedactAbi#PAIR_CLASSES} classes; if the automata tell apart more, the last
 * class holds the rest. {@code '\n'} has the first to itself: as it may be a separator, it also stands for
 * the end of a row, and in front of a start for the start of one. Pure.
 */
final class StartPairs {

    private static final int CLASSES = RedactAbi.PAIR_CLASSES;

    private final MergedDfa dfa;
    private final byte[] info = new byte[256];
    private final byte[] pairs = new byte[CLASSES * CLASSES];

    StartPairs(MergedDfa dfa) {
        this.dfa = dfa;
        int[] pairClassOf = pairClasses();
        for (int b = 0; b < 256; b++) {
            int context = b == '\n' ? Dfa.AT_START : Dfa.contextOf(b);
            info[b] = (byte) (pairClassOf[b] | context << RedactAbi.START_INFO_CONTEXT_SHIFT);
        }
        int symbols = dfa.endClass() + 1;
        byte[] starts = new byte[symbols * symbols];
        for (int first = 0; first < dfa.endClass(); first++) {
            for (int second = 0; second < symbols; second++) {
                starts[first * symbols + second] = (byte) starts(first, second);
            }
        }
        for (int first = 0; first < 256; first++) {
            int row = dfa.classOf(first) * symbols;
            for (int second = 0; second < 256; second++) {
                int bits = starts[row + dfa.classOf(second)];
                if (second == '\n') {
                    bits |= starts[row + dfa.endClass()];
                }
                pairs[pairClassOf[first] * CLASSES + pairClassOf[second]] |= (byte) bits;
            }
        }
    }

    /** The class of each byte: bytes of one class are the same to all first and second steps. */
    private int[] pairClasses() {
        int[] firstStates = firstStates();
        int[] pairClassOfSymbol = new int[dfa.endClass()];
        Map<BitSet, Integer> numbers = new HashMap<>();
        int[] pairClassOf = new int[256];
        for (int b = 0; b < 256; b++) {
            if (b == '\n') {
                continue;
            }
            int symbol = dfa.classOf(b);
            if (pairClassOfSymbol[symbol] == 0) {
                int next = Math.min(1 + numbers.size(), CLASSES - 1);
                Integer known = numbers.putIfAbsent(behaviour(firstStates, symbol), next);
                pairClassOfSymbol[symbol] = known == null ? next : known;
            }
            pairClassOf[b] = pairClassOfSymbol[symbol];
        }
        return pairClassOf;
    }

    /** What a symbol does as the first and as the second of a start. */
    private BitSet behaviour(int[] firstStates, int symbol) {
        BitSet behaviour = new BitSet();
        for (int i = 0; i < firstStates.length; i++) {
            behaviour.set(i, dfa.next(firstStates[i], symbol) != Dfa.DEAD);
        }
        int at = firstStates.length;
        for (int start = 0; start < 2 * Dfa.CONTEXTS; start++) {
            int state = dfa.next(startState(start), symbol);
            for (int bit = 0; bit < Character.SIZE; bit++) {
                behaviour.set(at++, (state >> bit & 1) != 0);
            }
        }
        return behaviour;
    }

    private int[] firstStates() {
        BitSet states = new BitSet();
        for (int start = 0; start < 2 * Dfa.CONTEXTS; start++) {
            for (int symbol = 0; symbol < dfa.endClass(); symbol++) {
                states.set(dfa.next(startState(start), symbol));
            }
        }
        return states.stream().toArray();
    }

    /** The start states of all contexts, and then those of the lean automaton. */
    private int startState(int start) {
        int context = start % Dfa.CONTEXTS;
        return start < Dfa.CONTEXTS ? dfa.startState(context) : dfa.leanStartState(context);
    }

    /** A bit for each start state from which the two symbols may begin a match. */
    private int starts(int first, int second) {
        int bits = 0;
        for (int start = 0; start < 2 * Dfa.CONTEXTS; start++) {
            int state = dfa.next(startState(start), first);
            boolean likely =
                    state != Dfa.DEAD
                            && (state < dfa.matchLimit() || dfa.next(state, second) != Dfa.DEAD);
            bits |= likely ? 1 << start : 0;
        }
        int others = 1 << Dfa.AFTER_OTHER | 1 << Dfa.CONTEXTS + Dfa.AFTER_OTHER;
        return bits | (bits & others) >> Dfa.AFTER_OTHER - Dfa.AT_START;
    }

    /** The {@code start_info} table; not to be written to. */
    byte[] info() {
        return info;
    }

    /** The {@code pairs} table; not to be written to. */
    byte[] pairs() {
        return pairs;
    }
}
