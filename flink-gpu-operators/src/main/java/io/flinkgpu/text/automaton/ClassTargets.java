package io.flinkgpu.text.automaton;

import java.util.Arrays;

/**
 * What the byte-reading states of a list lead to after each byte class, in the list's order. Not thread-safe.
 */
final class ClassTargets {

    private final Nfa nfa;
    private final int[] lowClass;
    private final int[] highClass;
    private final int[] count;
    private final int[] hash;
    private final int[][] targets;

    ClassTargets(Nfa nfa, ByteClasses classes) {
        this.nfa = nfa;
        int edges = nfa.target().length;
        lowClass = new int[edges];
        highClass = new int[edges];
        for (int state = 0; state < nfa.states(); state++) {
            if (nfa.kind()[state] == Nfa.BYTES) {
                for (int edge = nfa.edges()[state]; edge < nfa.edges()[state + 1]; edge++) {
                    lowClass[edge] = classes.classOf(nfa.low()[edge] & 0xff);
                    highClass[edge] = classes.classOf(nfa.high()[edge] & 0xff);
                }
            }
        }
        count = new int[classes.count()];
        hash = new int[count.length];
        targets = new int[count.length][8];
    }

    /** Forgets the targets of all classes. */
    void clear() {
        Arrays.fill(count, 0);
        Arrays.fill(hash, 0);
    }

    /** Sets the targets of the classes of one kind. */
    void set(int[] readers, int kind, int[] kindOfClass) {
        for (int reader : readers) {
            for (int edge = nfa.edges()[reader]; edge < nfa.edges()[reader + 1]; edge++) {
                int target = nfa.target()[edge];
                for (int c = lowClass[edge]; c <= highClass[edge]; c++) {
                    if (kindOfClass[c] == kind) {
                        add(c, target);
                    }
                }
            }
        }
    }

    private void add(int byteClass, int target) {
        int at = count[byteClass]++;
        if (at == targets[byteClass].length) {
            targets[byteClass] = Arrays.copyOf(targets[byteClass], 2 * at);
        }
        targets[byteClass][at] = target;
        hash[byteClass] = 31 * hash[byteClass] + target;
    }

    int count(int byteClass) {
        return count[byteClass];
    }

    int target(int byteClass, int index) {
        return targets[byteClass][index];
    }

    /** Whether two classes have the same targets. */
    boolean same(int one, int other) {
        return hash[one] == hash[other]
                && count[one] == count[other]
                && Arrays.equals(targets[one], 0, count[one], targets[other], 0, count[other]);
    }
}
