package io.flinkgpu.sql.planner;

import io.flinkgpu.text.regex.Regex;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * All ways to match a regular expression, whichever it prefers: positions, each of which has read a class of code
 * points, and what may follow each of them. Position 0 has read nothing.
 */
final class RuleAutomaton {

    /** Follows a position where a match may end. */
    static final int MATCH = -1;

    static final int START = 0;

    private static final int MAX_POSITIONS = 1_000;
    private static final int MAX_EDGES = 40_000;

    private final Alphabet alphabet;
    private final List<BitSet> reads = new ArrayList<>();
    private final List<List<Edge>> edges = new ArrayList<>();
    private final List<Assertion> assertions = new ArrayList<>();
    private final List<BitSet> behind = new ArrayList<>();

    // While it is built: nodes that read nothing, each with where it leads.
    private final List<List<Integer>> silent = new ArrayList<>();
    private final List<Node> nodes = new ArrayList<>();
    private boolean vague;
    private int edgeCount;

    /** What follows a position, if assertions hold between the two. */
    record Edge(int target, int[] assertions) {}

    /** A node: reads ({@code position} from 1 on), asserts, or neither; {@code position} is MATCH at the end. */
    private record Node(int position, int assertion) {}

    /** What holds between two neighbours. */
    private interface Assertion {
        boolean holds(int before, int next);
    }

    /**
     * Builds it.
     *
     * @throws TooLargeException if it has too many positions
     */
    RuleAutomaton(Regex regex, Alphabet alphabet) {
        this.alphabet = alphabet;
        reads.add(new BitSet());
        int match = node(MATCH, -1);
        int first = build(regex, match);
        int start = node(0, -1);
        silent.get(start).add(first);
        for (int position = 0; position < reads.size(); position++) {
            edges.add(new ArrayList<>());
        }
        for (int node = 0; node < nodes.size(); node++) {
            if (nodes.get(node).position >= 0 && (nodes.get(node).assertion < 0)) {
                int position = nodes.get(node).position;
                if (position > 0 || node == start) {
                    follow(node, new TreeSet<>(), edges.get(position), new HashSet<>());
                }
            }
        }
    }

    /** More positions than are looked at. */
    static final class TooLargeException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        TooLargeException() {
            super("too large", null, false, false);
        }
    }

    int positions() {
        return reads.size();
    }

    BitSet reads(int position) {
        return reads.get(position);
    }

    List<Edge> edges(int position) {
        return edges.get(position);
    }

    /** Whether an assertion is taken to hold that may not. */
    boolean isVague() {
        return vague;
    }

    /** Whether anything is asserted at all. */
    boolean asserts() {
        return !assertions.isEmpty() || vague;
    }

    /** The sets of classes that are looked for in front of a place, beside word characters. */
    List<BitSet> behind() {
        return behind;
    }

    /** Whether a match may end behind a position somewhere. */
    boolean mayEnd(int position) {
        return edges.get(position).stream().anyMatch(edge -> edge.target == MATCH);
    }

    boolean holds(Edge edge, int before, int next) {
        for (int assertion : edge.assertions) {
            if (!assertions.get(assertion).holds(before, next)) {
                return false;
            }
        }
        return true;
    }

    /** Whether a match may end behind a position, between two neighbours. */
    boolean matches(int position, int before, int next) {
        for (Edge edge : edges.get(position)) {
            if (edge.target == MATCH && holds(edge, before, next)) {
                return true;
            }
        }
        return false;
    }

    /** The positions that may read what follows. */
    BitSet after(int position, int before, int next) {
        BitSet targets = new BitSet();
        for (Edge edge : edges.get(position)) {
            if (edge.target != MATCH
                    && reads.get(edge.target).get(next)
                    && holds(edge, before, next)) {
                targets.set(edge.target);
            }
        }
        return targets;
    }

    private int node(int position, int assertion) {
        nodes.add(new Node(position, assertion));
        silent.add(new ArrayList<>());
        if (nodes.size() > 8 * MAX_POSITIONS) {
            throw new TooLargeException();
        }
        return nodes.size() - 1;
    }

    /** A node that leads on, without reading, to others. */
    private int fork(List<Integer> targets) {
        int node = node(-2, -1);
        silent.get(node).addAll(targets);
        return node;
    }

    /** The node where an expression begins that is followed by another node. */
    private int build(Regex regex, int next) {
        if (regex instanceof Regex.Chars chars) {
            reads.add(alphabet.of(chars.set()));
            if (reads.size() > MAX_POSITIONS) {
                throw new TooLargeException();
            }
            int node = node(reads.size() - 1, -1);
            silent.get(node).add(next);
            return node;
        }
        if (regex instanceof Regex.Concat concat) {
            int first = next;
            for (int i = concat.parts().size() - 1; i >= 0; i--) {
                first = build(concat.parts().get(i), first);
            }
            return first;
        }
        if (regex instanceof Regex.Alternate alternate) {
            return fork(alternate.options().stream().map(it -> build(it, next)).toList());
        }
        if (regex instanceof Regex.Repeat repeat) {
            return build(repeat, next);
        }
        if (regex instanceof Regex.Group group) {
            return build(group.body(), next);
        }
        Assertion assertion = assertion(regex);
        if (assertion == null) {
            vague = true;
            return next;
        }
        assertions.add(assertion);
        int node = node(-2, assertions.size() - 1);
        silent.get(node).add(next);
        return node;
    }

    private int build(Regex.Repeat repeat, int next) {
        int first = next;
        if (repeat.max() == Regex.Repeat.UNBOUNDED) {
            int loop = fork(List.of(next));
            silent.get(loop).add(build(repeat.body(), loop));
            first = loop;
        } else {
            for (int i = repeat.min(); i < repeat.max(); i++) {
                first = fork(List.of(next, build(repeat.body(), first)));
            }
        }
        for (int i = 0; i < repeat.min(); i++) {
            first = build(repeat.body(), first);
        }
        return first;
    }

    /** What a look asserts; null for what is taken to hold. */
    private Assertion assertion(Regex regex) {
        if (regex instanceof Regex.Neighbor neighbor) {
            BitSet set = alphabet.of(neighbor.set());
            set.set(Alphabet.EDGE, neighbor.orEdge());
            if (neighbor.behind()) {
                behind.add(set);
            }
            return neighbor.behind()
                    ? (before, next) -> set.get(before)
                    : (before, next) -> set.get(next);
        }
        return switch (((Regex.Look) regex).kind()) {
            case BEGIN -> (before, next) -> before == Alphabet.EDGE;
            case END -> (before, next) -> next == Alphabet.EDGE;
            case WORD_BOUNDARY ->
                    (before, next) -> alphabet.isWord(before) != alphabet.isWord(next);
            case NOT_WORD_BOUNDARY ->
                    (before, next) -> alphabet.isWord(before) == alphabet.isWord(next);
            // These look further than at a neighbour.
            case DOLLAR, UNIX_DOLLAR, LINE_END -> null;
        };
    }

    /** Adds what follows a node by ways that read nothing. */
    private void follow(int from, TreeSet<Integer> asserted, List<Edge> found, Set<Object> seen) {
        for (int node : silent.get(from)) {
            TreeSet<Integer> now = asserted;
            if (nodes.get(node).assertion >= 0) {
                now = new TreeSet<>(asserted);
                now.add(nodes.get(node).assertion);
            }
            if (!seen.add(List.of(node, now))) {
                continue;
            }
            int position = nodes.get(node).position;
            if (position > 0 || position == MATCH) {
                found.add(new Edge(position, now.stream().mapToInt(it -> it).toArray()));
                if (++edgeCount > MAX_EDGES) {
                    throw new TooLargeException();
                }
            } else {
                follow(node, now, found, seen);
            }
        }
    }
}
