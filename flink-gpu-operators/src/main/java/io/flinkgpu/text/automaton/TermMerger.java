package io.flinkgpu.text.automaton;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * Merges the terms of a {@link StartFilter} until few are left, always the two whose union lets the
 * fewest more positions through, judged by how often bytes occur in log text, and after which kind of byte: most
 * letters follow letters, so what words would let through counts. Each term keeps the best partner before it, so that
 * a merge compares few pairs anew.
 */
final class TermMerger {

    /** Kinds of bytes: lower case, upper case, digits, and all others with the end of a row. */
    private static final int KINDS = 4;

    private static final int OTHER = 3;

    /** A rough model of service logs is enough to rank merges: the share of each kind. */
    private static final double[] SHARES = {0.45, 0.07, 0.24, 0.24};

    /** After a byte of each kind, the shares of the kinds of the next one. */
    private static final double[][] NEXT_SHARES = {
        {0.77, 0.03, 0.03, 0.17},
        {0.43, 0.37, 0.05, 0.15},
        {0.04, 0.01, 0.60, 0.35},
        {0.30, 0.12, 0.33, 0.25}
    };

    private static final String LETTERS = "etaonirscdlupmbhgfvkywxzqj";

    /** How often each of these letters occurs, as against others of its case. */
    private static final double[] LETTER_WEIGHTS = {
        12, 8.5, 8, 7.5, 7, 7, 7, 6.5, 5, 5, 4, 3.5, 3.5, 3, 2, 2.5, 2, 2, 1.5, 1.5, 1.5, 1, 0.8,
        0.3, 0.2, 0.2
    };

    /** Letters of upper case are those of short names as well, and more even. */
    private static final double UPPER_EXTRA = 2;

    private static final double LOW_DIGIT = 15;
    private static final double HIGH_DIGIT = 7;
    private static final double SPACE = 100;
    private static final double COMMON_PUNCTUATION = 18;
    private static final double OTHER_ASCII = 2;
    private static final double NON_ASCII = 0.05;
    private static final double END = 7;

    private static final int STAGES = 1 + StartFilter.BYTES;
    private static final int BYTE_VALUES = 1 << Byte.SIZE;
    private static final int GONE = -1;

    /** Of each stage, for each byte of a set as bits: what the members that the byte holds weigh, of each kind. */
    private final double[][][][] weightsOfBits = new double[STAGES][][][];

    /**
     * @param contextOf the context of each byte value in front of a start, and of {@link Dfa#NOTHING}
     */
    TermMerger(Dfa dfa, int[] contextOf, int contexts) {
        double[] sums = new double[KINDS];
        for (int b = 0; b <= Dfa.NOTHING; b++) {
            sums[kindOf(b)] += weightOf(b);
        }
        double[][] ofClasses = new double[dfa.classCount()][KINDS];
        double[][] ofContexts = new double[contexts][KINDS];
        for (int b = 0; b <= Dfa.NOTHING; b++) {
            int kind = kindOf(b);
            int symbol = b == Dfa.NOTHING ? dfa.endClass() : dfa.classOf(b);
            ofClasses[symbol][kind] += weightOf(b) / sums[kind];
            ofContexts[contextOf[b]][kind] += weightOf(b) / sums[kind];
        }
        weightsOfBits[0] = weightsOfBits(ofContexts);
        Arrays.fill(weightsOfBits, 1, STAGES, weightsOfBits(ofClasses));
    }

    private static double[][][] weightsOfBits(double[][] weights) {
        int bytes = (weights.length + Byte.SIZE - 1) / Byte.SIZE;
        double[][][] sums = new double[bytes][BYTE_VALUES][KINDS];
        for (int i = 0; i < bytes * BYTE_VALUES; i++) {
            int bits = i % BYTE_VALUES;
            for (int bit = 0; bit < Byte.SIZE; bit++) {
                int member = i / BYTE_VALUES * Byte.SIZE + bit;
                if ((bits >> bit & 1) != 0 && member < weights.length) {
                    for (int kind = 0; kind < KINDS; kind++) {
                        sums[i / BYTE_VALUES][bits][kind] += weights[member][kind];
                    }
                }
            }
        }
        return sums;
    }

    private static int kindOf(int b) {
        if (b >= 'a' && b <= 'z') {
            return 0;
        }
        if (b >= 'A' && b <= 'Z') {
            return 1;
        }
        return b >= '0' && b <= '9' ? 2 : OTHER;
    }

    /** What a byte weighs among those of its kind. */
    private static double weightOf(int b) {
        if (b >= 'a' && b <= 'z') {
            return LETTER_WEIGHTS[LETTERS.indexOf(b)];
        }
        if (b >= 'A' && b <= 'Z') {
            return LETTER_WEIGHTS[LETTERS.indexOf(b - 'A' + 'a')] + UPPER_EXTRA;
        }
        if (b >= '0' && b <= '9') {
            return b < '3' ? LOW_DIGIT : HIGH_DIGIT;
        }
        if (b == Dfa.NOTHING) {
            return END;
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
        return Arrays.copyOf(set.toByteArray(), weightsOfBits[stage].length);
    }

    /** The share of positions that the union of two terms lets through. */
    private double weightOfUnion(byte[][] a, byte[][] b) {
        double lower = SHARES[0];
        double upper = SHARES[1];
        double digit = SHARES[2];
        double other = SHARES[OTHER];
        for (int stage = 0; stage < STAGES; stage++) {
            if (stage > 0) {
                double toLower = next(lower, upper, digit, other, 0);
                double toUpper = next(lower, upper, digit, other, 1);
                double toDigit = next(lower, upper, digit, other, 2);
                other = next(lower, upper, digit, other, OTHER);
                lower = toLower;
                upper = toUpper;
                digit = toDigit;
            }
            double ofLower = 0;
            double ofUpper = 0;
            double ofDigit = 0;
            double ofOther = 0;
            double[][][] sums = weightsOfBits[stage];
            for (int i = 0; i < sums.length; i++) {
                double[] weights = sums[i][(a[stage][i] | b[stage][i]) & 0xff];
                ofLower += weights[0];
                ofUpper += weights[1];
                ofDigit += weights[2];
                ofOther += weights[OTHER];
            }
            lower *= ofLower;
            upper *= ofUpper;
            digit *= ofDigit;
            other *= ofOther;
        }
        return lower + upper + digit + other;
    }

    private static double next(double lower, double upper, double digit, double other, int kind) {
        return lower * NEXT_SHARES[0][kind]
                + upper * NEXT_SHARES[1][kind]
                + digit * NEXT_SHARES[2][kind]
                + other * NEXT_SHARES[OTHER][kind];
    }
}
