package io.flinkgpu.text.automaton;

import io.flinkgpu.text.regex.CodePointSet;
import io.flinkgpu.text.regex.Regex;

import org.apache.flink.annotation.Internal;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Builds the {@link Nfa} of several rules, each from its end to its start. */
@Internal
public final class NfaBuilder {

    static final int MAX_STATES = 100_000;

    private static final int MAX_STEPS = 4 * MAX_STATES;

    private byte[] kind = new byte[256];
    private int[] argument = new int[256];
    private int[][] edges = new int[256][];
    private int states;
    private int steps;

    private final Map<CodePointSet, int[][]> sequences = new HashMap<>();
    private final Map<IntKey, Integer> byteStates = new HashMap<>();
    private final List<Integer> ruleStarts = new ArrayList<>();
    private final List<long[]> neighbors = new ArrayList<>();
    private final boolean readsUnknown;
    private int matchState;
    private boolean inGroup;

    /**
     * @param readsUnknown whether {@link UnknownBytes#MARK} is read where U+FFFD is
     */
    public NfaBuilder(boolean readsUnknown) {
        this.readsUnknown = readsUnknown;
    }

    /**
     * Adds a rule, with less priority than those before.
     *
     * @param rule its index, which its matches carry
     */
    public void add(int rule, Regex regex) throws TooLargeException {
        matchState = state(Nfa.MATCH, rule << 2, new int[0]);
        ruleStarts.add(compile(regex, matchState));
    }

    public Nfa build() throws TooLargeException {
        int[] starts = ruleStarts.stream().mapToInt(Integer::intValue).toArray();
        int start = anyOf(starts);
        int edgeCount = 0;
        for (int state = 0; state < states; state++) {
            edgeCount += edges[state].length / edgeInts(state);
        }
        int[] from = new int[states + 1];
        int[] target = new int[edgeCount];
        byte[] low = new byte[edgeCount];
        byte[] high = new byte[edgeCount];
        int edge = 0;
        for (int state = 0; state < states; state++) {
            int[] list = edges[state];
            int ints = edgeInts(state);
            for (int i = 0; i < list.length; i += ints) {
                target[edge] = list[i];
                if (ints == 3) {
                    low[edge] = (byte) list[i + 1];
                    high[edge] = (byte) list[i + 2];
                }
                edge++;
            }
            from[state + 1] = edge;
        }
        return new Nfa(
                Arrays.copyOf(kind, states),
                Arrays.copyOf(argument, states),
                from,
                target,
                low,
                high,
                start,
                starts,
                neighbors.toArray(new long[0][]));
    }

    private int edgeInts(int state) {
        return kind[state] == Nfa.BYTES ? 3 : 1;
    }

    private int compile(Regex regex, int next) throws TooLargeException {
        if (++steps > MAX_STEPS) {
            throw tooLarge();
        }
        if (regex instanceof Regex.Chars chars) {
            return chars(chars.set(), next);
        }
        if (regex instanceof Regex.Concat concat) {
            int entry = next;
            for (int i = concat.parts().size() - 1; i >= 0; i--) {
                entry = compile(concat.parts().get(i), entry);
            }
            return entry;
        }
        if (regex instanceof Regex.Alternate alternate) {
            int[] entries = new int[alternate.options().size()];
            for (int i = 0; i < entries.length; i++) {
                entries[i] = compile(alternate.options().get(i), next);
            }
            return anyOf(entries);
        }
        if (regex instanceof Regex.Repeat repeat) {
            return repeat(repeat, next);
        }
        if (regex instanceof Regex.Group group) {
            int close = groupCloses(next);
            inGroup = true;
            int body = compile(group.body(), close);
            inGroup = false;
            return state(Nfa.ANY_OF, Nfa.GROUP_OPENS, new int[] {body});
        }
        if (regex instanceof Regex.Neighbor neighbor) {
            return look(Nfa.neighborAssertion(number(neighbor), neighbor.behind()), next);
        }
        Regex.Look look = (Regex.Look) regex;
        return switch (look.kind()) {
            case BEGIN -> look(Nfa.AT_BEGIN, next);
            case END -> look(Nfa.AT_END, next);
            case WORD_BOUNDARY -> look(Nfa.WORD_BOUNDARY, next);
            case NOT_WORD_BOUNDARY -> look(Nfa.NOT_WORD_BOUNDARY, next);
            case DOLLAR -> last(dollar(true));
            case UNIX_DOLLAR -> last(unixDollar());
            case LINE_END -> last(dollar(false));
        };
    }

    /** What leads to a match without what follows: a group around it ends where it starts. */
    private int last(int state) throws TooLargeException {
        return inGroup ? groupCloses(state) : state;
    }

    private int groupCloses(int next) throws TooLargeException {
        return state(Nfa.ANY_OF, Nfa.GROUP_CLOSES, new int[] {next});
    }

    private int repeat(Regex.Repeat repeat, int next) throws TooLargeException {
        int entry = next;
        int copies = repeat.min();
        if (repeat.max() == Regex.Repeat.UNBOUNDED) {
            int loop = state(Nfa.ANY_OF, 0, null);
            int body = compile(repeat.body(), loop);
            edges[loop] = choice(repeat.greedy(), body, next);
            entry = copies == 0 ? loop : body;
            copies = Math.max(0, copies - 1);
        } else {
            for (int i = repeat.min(); i < repeat.max(); i++) {
                int body = compile(repeat.body(), entry);
                entry = anyOf(choice(repeat.greedy(), body, next));
            }
        }
        for (int i = 0; i < copies; i++) {
            entry = compile(repeat.body(), entry);
        }
        return entry;
    }

    private static int[] choice(boolean greedy, int body, int next) {
        return greedy ? new int[] {body, next} : new int[] {next, body};
    }

    /**
     * {@code $} as the JDK has it: at the end, or before a line terminator, but not between {@code \r} and
     * {@code \n}. Walks over the terminator and then takes it back.
     *
     * @param last whether the end of the text has to follow the terminator
     */
    private int dollar(boolean last) throws TooLargeException {
        int end = look(Nfa.AT_END, matchState);
        int oneBack = matchGoingBack(1, last);
        int twoBack = matchGoingBack(2, last);
        int threeBack = matchGoingBack(3, last);
        int lineFeed = look(Nfa.NOT_AFTER_CR, bytes(oneBack, '\n', '\n'));
        int carriageReturn =
                bytes(anyOf(new int[] {oneBack, bytes(twoBack, '\n', '\n')}), '\r', '\r');
        int nextLine = bytes(bytes(twoBack, 0x85, 0x85), 0xc2, 0xc2);
        int separator = bytes(bytes(bytes(threeBack, 0xa8, 0xa9), 0x80, 0x80), 0xe2, 0xe2);
        return anyOf(new int[] {end, lineFeed, carriageReturn, nextLine, separator});
    }

    /** {@code $} where only {@code \n} is a line terminator. */
    private int unixDollar() throws TooLargeException {
        int end = look(Nfa.AT_END, matchState);
        return anyOf(new int[] {end, bytes(matchGoingBack(1, true), '\n', '\n')});
    }

    private int matchGoingBack(int bytes, boolean last) throws TooLargeException {
        int match = state(Nfa.MATCH, argument[matchState] | bytes, new int[0]);
        return last ? look(Nfa.AT_END, match) : match;
    }

    /** The number of a neighbour's set, equal ones having the same. */
    private int number(Regex.Neighbor neighbor) {
        long[] set = new long[Dfa.NOTHING / Long.SIZE + 1];
        for (int symbol = 0; symbol <= Dfa.NOTHING; symbol++) {
            // Of code points outside ASCII all are in the set, or none.
            boolean holds =
                    symbol == Dfa.NOTHING
                            ? neighbor.orEdge()
                            : neighbor.set().contains(Math.min(symbol, 0x80));
            set[symbol >> 6] |= holds ? 1L << symbol : 0;
        }
        for (int known = 0; known < neighbors.size(); known++) {
            if (Arrays.equals(neighbors.get(known), set)) {
                return known;
            }
        }
        neighbors.add(set);
        return neighbors.size() - 1;
    }

    private int chars(CodePointSet set, int next) throws TooLargeException {
        int[][] all =
                sequences.computeIfAbsent(
                        set, readsUnknown ? UnknownBytes::sequences : Utf8Ranges::of);
        return bytesFrom(all, 0, all.length, 0, next);
    }

    /** The state that reads the bytes from {@code depth} on of sequences with the same prefix. */
    private int bytesFrom(int[][] all, int from, int to, int depth, int next)
            throws TooLargeException {
        int[] list = new int[3 * (to - from)];
        int used = 0;
        int i = from;
        while (i < to) {
            int low = all[i][2 * depth];
            int high = all[i][2 * depth + 1];
            int group = i;
            while (group < to && all[group][2 * depth] == low) {
                group++;
            }
            boolean last = all[i].length == 2 * depth + 2;
            int target = last ? next : bytesFrom(all, i, group, depth + 1, next);
            if (used > 0 && list[used - 3] == target && list[used - 1] == low - 1) {
                list[used - 1] = high;
            } else {
                list[used++] = target;
                list[used++] = low;
                list[used++] = high;
            }
            i = group;
        }
        return bytes(Arrays.copyOf(list, used));
    }

    private int bytes(int... edgeList) throws TooLargeException {
        IntKey key = new IntKey(edgeList);
        Integer known = byteStates.get(key);
        if (known == null) {
            known = state(Nfa.BYTES, 0, edgeList);
            byteStates.put(key, known);
        }
        return known;
    }

    private int anyOf(int[] targets) throws TooLargeException {
        return targets.length == 1 ? targets[0] : state(Nfa.ANY_OF, 0, targets);
    }

    private int look(int assertion, int next) throws TooLargeException {
        return state(Nfa.LOOK, assertion, new int[] {next});
    }

    private int state(byte stateKind, int stateArgument, int[] edgeList) throws TooLargeException {
        if (states == MAX_STATES) {
            throw tooLarge();
        }
        if (states == kind.length) {
            kind = Arrays.copyOf(kind, 2 * states);
            argument = Arrays.copyOf(argument, 2 * states);
            edges = Arrays.copyOf(edges, 2 * states);
        }
        kind[states] = stateKind;
        argument[states] = stateArgument;
        edges[states] = edgeList;
        return states++;
    }

    private static TooLargeException tooLarge() {
        return new TooLargeException(MAX_STATES + " positions");
    }
}
