package io.flinkgpu.cells;

/** How many different values a {@link DistinctSketch} has seen, about. */
final class DistinctEstimate {

    /** The greatest rank but one, the last that stands for just one number of leading zeros. */
    private static final int GREATEST_RANK = 62;

    /** 1 / (2 ln 2): the paper's alpha for infinitely many registers. */
    private static final double ALPHA = 0.5 / Math.log(2);

    private DistinctEstimate() {}

    /**
     * Of values that are kept one by one. Of two values whose addresses are the same a third have equal
     * ranks, and so are one coupon; that many pairs are expected to be lost. Off by less than a value up to
     * ten thousand of them.
     */
    static double ofCoupons(int coupons) {
        double pairs = 0.5 * coupons * coupons;
        return coupons + pairs / 3 / (1 << Coupons.ADDRESS_BITS);
    }

    /**
     * Of registers: O. Ertl, "New cardinality estimation algorithms for HyperLogLog sketches" (<a
     * href="https://arxiv.org/abs/1702.01284">arXiv:1702.01284</a>, 2017), the improved raw estimator
     * (algorithm 6), which needs no tables, and no other estimator for few values or many.
     */
    static double ofRegisters(byte[] registers, int at, int length) {
        int[] counts = new int[GREATEST_RANK + 2];
        for (int i = 0; i < length; i++) {
            counts[registers[at + i]]++;
        }
        double m = length;
        double z = m * tau(1 - counts[GREATEST_RANK + 1] / m);
        for (int rank = GREATEST_RANK; rank >= 1; rank--) {
            z = 0.5 * (z + counts[rank]);
        }
        z += m * sigma(counts[0] / m);
        return ALPHA * m * m / z;
    }

    /** {@code x + sum(x^(2^k) 2^(k-1), k = 1..)}, until it gets no greater; x is less than 1. */
    private static double sigma(double x) {
        double power = x;
        double weight = 1;
        double sum = x;
        double before;
        do {
            power *= power;
            before = sum;
            sum += power * weight;
            weight += weight;
        } while (sum != before);
        return sum;
    }

    /** {@code (1 - x - sum((1 - x^(2^-k))^2 2^-k, k = 1..)) / 3}, likewise. */
    private static double tau(double x) {
        if (x == 0 || x == 1) {
            return 0;
        }
        double root = x;
        double weight = 1;
        double sum = 1 - x;
        double before;
        do {
            root = Math.sqrt(root);
            before = sum;
            weight *= 0.5;
            sum -= (1 - root) * (1 - root) * weight;
        } while (sum != before);
        return sum / 3;
    }
}
