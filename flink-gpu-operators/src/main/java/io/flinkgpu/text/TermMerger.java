package io.flinkgpu.text;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * Merges the terms of a {@link StartFilter} until few are left, always the two whose union lets the
 * fewest more positions through, judged by how often bytes occur in log text.
 */
final class TermMerger {

    /** Per mille of bytes in service logs, by kind; a rough model is enough to rank merges. */
    private static final double LOWER = 15;

    private static final double UPPER = 3;
    private static final double DIGIT = 22;
    private static final double SPACE = 110;
    private static final double COMMON_PUNCTUATION = 18;
    private static final double OTHER_ASCII = 2;
    private static final double NON_ASCII = 0.05;

    private static final double[] CONTEXT_WEIGHT = {0.01, 0.29, 0.69, 0.01};

    private final double[] classWeight;

    TermMerger(Dfa dfa) {
        classWeight = new double[dfa.classCount()];
        for (int b = 0; b < 256; b++) {
            classWeight[dfa.classOf(b)] += weightOf(b) / 1000;
        }
        classWeight[dfa.endClass()] = 0.01;
    }

    private static double weightOf(int b) {
        if (b >= 'a' && b <= 'z') {
            return LOWER;
        }
        if (b >= 'A' && b <= 'Z') {
            return UPPER;
        }
        if (b >= '0' && b <= '9') {
            return DIGIT;
        }
        if (b == ' ') {
            return SPACE;
        }
        if (b < 0x80) {
            return ".:-/=_,[]\"".indexOf(b) >= 0 ? COMMON_PUNCTUATION : OTHER_ASCII;
        }
        return NON_ASCII;
    }

    List<StartFilter.Term> merge(List<StartFilter.Term> exact, int most) {
        List<StartFilter.Term> terms = new ArrayList<>(exact);
        double[][] gain = new double[terms.size()][terms.size()];
        for (int i = 0; i < terms.size(); i++) {
            for (int j = 0; j < i; j++) {
                gain[i][j] = addedWeight(terms.get(i), terms.get(j));
            }
        }
        int left = terms.size();
        while (left > most) {
            int into = -1;
            int from = -1;
            for (int i = 0; i < terms.size(); i++) {
                for (int j = 0; j < i && terms.get(i) != null; j++) {
                    if (terms.get(j) != null && (into < 0 || gain[i][j] < gain[from][into])) {
                        from = i;
                        into = j;
                    }
                }
            }
            terms.get(into).add(terms.get(from));
            terms.set(from, null);
            left--;
            for (int k = 0; k < terms.size(); k++) {
                if (k != into && terms.get(k) != null) {
                    gain[Math.max(k, into)][Math.min(k, into)] =
                            addedWeight(terms.get(k), terms.get(into));
                }
            }
        }
        terms.removeIf(term -> term == null);
        return terms;
    }

    private double addedWeight(StartFilter.Term a, StartFilter.Term b) {
        StartFilter.Term union = new StartFilter.Term();
        union.add(a);
        union.add(b);
        return weight(union) - weight(a) - weight(b);
    }

    private double weight(StartFilter.Term term) {
        double weight = sum(term.contexts, CONTEXT_WEIGHT);
        for (BitSet classes : term.bytes) {
            weight *= sum(classes, classWeight);
        }
        return weight;
    }

    private static double sum(BitSet set, double[] weights) {
        double sum = 0;
        for (int i = set.nextSetBit(0); i >= 0; i = set.nextSetBit(i + 1)) {
            sum += weights[i];
        }
        return sum;
    }
}
