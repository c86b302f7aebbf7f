package io.flinkgpu.bench;

/** Elements of sets: numbers below {@link #ELEMENTS}, all as frequent or by Zipf's law. Immutable. */
final class SetElementDraws {

    /** How many there are. */
    static final int ELEMENTS = 50_001;

    private static final int BUCKET_BITS = 16;
    private static final long SEED = 42;
    private static final long PERMUTATION = 0x7065726dL;

    /** Of the upper half of a random number: below which an element of this rank or a lower one is drawn. */
    private final long[] below;

    /** The lowest rank that numbers with these upper bits draw. */
    private final int[] lowest;

    private final int[] ranked;

    private SetElementDraws(long[] below, int[] lowest, int[] ranked) {
        this.below = below;
        this.lowest = lowest;
        this.ranked = ranked;
    }

    /**
     * @param skew the exponent of Zipf's law; 0: all are as frequent
     */
    static SetElementDraws of(double skew) {
        return skew == 0
                ? new SetElementDraws(null, null, null)
                : zipf(skew, new SplitMix(SplitMix.mix64(SEED ^ PERMUTATION)));
    }

    private static SetElementDraws zipf(double skew, SplitMix random) {
        int[] ranked = new int[ELEMENTS];
        for (int i = 0; i < ELEMENTS; i++) {
            ranked[i] = i;
        }
        for (int i = ELEMENTS - 1; i > 0; i--) {
            int j = random.below(i + 1L);
            int other = ranked[i];
            ranked[i] = ranked[j];
            ranked[j] = other;
        }
        double[] sums = new double[ELEMENTS];
        double sum = 0;
        for (int i = 0; i < ELEMENTS; i++) {
            double part = 1.0 / (i + 1);
            sum += skew == 1 ? part : StrictMath.pow(part, skew);
            sums[i] = sum;
        }
        long[] below = new long[ELEMENTS];
        for (int i = 0; i < ELEMENTS; i++) {
            below[i] = (long) (sums[i] / sum * 0x1p32);
        }
        below[ELEMENTS - 1] = 1L << 32;
        int[] lowest = new int[1 << BUCKET_BITS];
        int rank = 0;
        for (int bucket = 0; bucket < lowest.length; bucket++) {
            while (below[rank] <= (long) bucket << (32 - BUCKET_BITS)) {
                rank++;
            }
            lowest[bucket] = rank;
        }
        return new SetElementDraws(below, lowest, ranked);
    }

    int draw(SplitMix random) {
        if (ranked == null) {
            return random.below(ELEMENTS);
        }
        long number = random.nextHigh();
        int rank = lowest[(int) (number >>> (32 - BUCKET_BITS))];
        while (below[rank] <= number) {
            rank++;
        }
        return ranked[rank];
    }
}
