package io.flinkgpu.text.automaton;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * Merges the terms of a {@link StartFilter} until few are left, always the two whose union lets the
 * fewest more positions through, judged by how often bytes occur in log text. Each term keeps the best
 * partner before it, so that a merge compares few pairs anew.
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

    private static final int STAGES = 4;
    private static final int BYTE_VALUES = 1 << Byte.SIZE;
    private static final int GONE = -1;

    /** Of each stage, for each byte of a set as bits: what the members that the byte holds weigh. */
    private final double[][][] weightOfBits = new double[STAGES][][];

    /**
     * @param contextOf the context of each byte value in front of a start, and of {@link Dfa#NOTHING}
     */
    TermMerger(Dfa dfa, int[] contextOf, int contexts) {
        double[] classWeight = new double[dfa.classCount()];
        for (int b = 0; b < 256; b++) {
            classWeight[dfa.classOf(b)] += weightOf(b) / 1000;
        }
        classWeight[dfa.endClass()] = 0.01;
        double[] contextWeight = new double[contexts];
        for (int b = 0; b < 256; b++) {
            contextWeight[contextOf[b]] += weightOf(b) / 1000;
        }
        contextWeight[contextOf[Dfa.NOTHING]] += 0.01;
        weightOfBits[0] = weightOfBits(contextWeight);
        Arrays.fill(weightOfBits, 1, STAGES, weightOfBits(classWeight));
    }

    private static double[][] weightOfBits(double[] weights) {
        double[][] sums = new double[(weights.length + Byte.SIZE - 1) / Byte.SIZE][BYTE_VALUES];
        for (int i = 0; i < sums.length * BYTE_VALUES; i++) {
            int bits = i % BYTE_VALUES;
            for (int bit = 0; bit < Byte.SIZE; bit++) {
                int member = i / BYTE_VALUES * Byte.SIZE + bit;
                if ((bits >> bit & 1) != 0 && member < weights.length) {
                    sums[i / BYTE_VALUES][bits] += weights[member];
                }
            }
        }
        return sums;
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
        Merging merging = new Merging(exact);
        for (int left = exact.size(); left > most; left--) {
            merging.mergeTwo();
        }
        return merging.left();
    }

    /** Terms that are merged two by two; merged ones leave gaps. */
    private final class Merging {

        private final List<StartFilter.Term> terms;
        private final byte[][][] members;
        private final double[] weight;
        private final double[][] gain;
        private final int[] partner;

        Merging(List<StartFilter.Term> exact) {
            terms = new ArrayList<>(exact);
            int count = terms.size();
            members = new byte[count][][];
            weight = new double[count];
            gain = new double[count][];
            partner = new int[count];
            for (int i = 0; i < count; i++) {
                measure(i);
                gain[i] = new double[i];
                for (int j = 0; j < i; j++) {
                    gain[i][j] = addedWeight(i, j);
                }
                findPartner(i);
            }
        }

        private void measure(int i) {
            StartFilter.Term term = terms.get(i);
            members[i] = new byte[STAGES][];
            members[i][0] = bytesOf(term.contexts, 0);
            for (int stage = 1; stage < STAGES; stage++) {
                members[i][stage] = bytesOf(term.bytes[stage - 1], stage);
            }
            weight[i] = weightOfUnion(members[i], members[i]);
        }

        private double addedWeight(int i, int j) {
            return weightOfUnion(members[i], members[j]) - weight[i] - weight[j];
        }

        private void findPartner(int i) {
            partner[i] = GONE;
            for (int j = 0; j < i; j++) {
                if (terms.get(j) != null && isBetter(i, j)) {
                    partner[i] = j;
                }
            }
        }

        private boolean isBetter(int i, int j) {
            int best = partner[i];
            return best == GONE
                    || gain[i][j] < gain[i][best]
                    || gain[i][j] == gain[i][best] && j < best;
        }

        void mergeTwo() {
            int from = GONE;
            for (int i = 0; i < partner.length; i++) {
                if (partner[i] != GONE
                        && (from == GONE || gain[i][partner[i]] < gain[from][partner[from]])) {
                    from = i;
                }
            }
            int into = partner[from];
            terms.get(into).add(terms.get(from));
            terms.set(from, null);
            partner[from] = GONE;
            measure(into);
            for (int j = 0; j < into; j++) {
                gain[into][j] = addedWeight(into, j);
            }
            findPartner(into);
            for (int i = into + 1; i < partner.length; i++) {
                if (terms.get(i) != null) {
                    gain[i][into] = addedWeight(i, into);
                    if (partner[i] == into || partner[i] == from) {
                        findPartner(i);
                    } else if (isBetter(i, into)) {
                        partner[i] = into;
                    }
                }
            }
        }

        List<StartFilter.Term> left() {
            terms.removeIf(term -> term == null);
            return terms;
        }
    }

    private byte[] bytesOf(BitSet set, int stage) {
        return Arrays.copyOf(set.toByteArray(), weightOfBits[stage].length);
    }

    private double weightOfUnion(byte[][] a, byte[][] b) {
        double weight = 1;
        for (int stage = 0; stage < STAGES; stage++) {
            double[][] sums = weightOfBits[stage];
            double sum = 0;
            for (int i = 0; i < sums.length; i++) {
                sum += sums[i][(a[stage][i] | b[stage][i]) & 0xff];
            }
            weight *= sum;
        }
        return weight;
    }
}
