package io.flinkgpu.applications;

/**
 * Elements by Zipf's law: the one of rank r is drawn in proportion to {@code 1 / r^skew}, and which one it
 * is depends on the seed. With a skew of 0 all are drawn alike. Immutable.
 */
final class ElementDraws {

    /** Upper bits of a draw that say where to start searching for its rank. */
    private static final int GUIDE_BITS = 16;

    private final int count;

    /** The element of each rank; none where all are drawn alike. */
    private final int[] ofRank;

    /** Up to which number, of 2^32, a draw is of a rank or one before. */
    private final long[] ends;

    /** The first rank for each value of a draw's upper bits. */
    private final int[] guide;

    ElementDraws(int count, double skew, long seed) {
        this.count = count;
        this.ofRank = skew == 0 ? new int[0] : shuffled(count, seed);
        this.ends = skew == 0 ? new long[0] : ends(count, skew);
        this.guide = skew == 0 ? new int[0] : guide(ends);
    }

    /** How many elements there are. */
    int count() {
        return count;
    }

    private static int[] shuffled(int count, long seed) {
        int[] elements = new int[count];
        for (int i = 0; i < count; i++) {
            elements[i] = i;
        }
        SplitMix random = new SplitMix(SplitMix.mix(seed ^ 0x7065726d));
        for (int i = count - 1; i >= 1; i--) {
            int j = random.below(i + 1);
            int element = elements[i];
            elements[i] = elements[j];
            elements[j] = element;
        }
        return elements;
    }

    private static long[] ends(int count, double skew) {
        double[] sums = new double[count];
        double sum = 0;
        for (int rank = 0; rank < count; rank++) {
            double part = 1.0 / (rank + 1);
            sum += skew == 1 ? part : StrictMath.pow(part, skew);
            sums[rank] = sum;
        }
        long[] ends = new long[count];
        for (int rank = 0; rank < count; rank++) {
            ends[rank] = (long) (sums[rank] / sum * 0x1p32);
        }
        ends[count - 1] = 1L << 32;
        return ends;
    }

    private static int[] guide(long[] ends) {
        int[] guide = new int[1 << GUIDE_BITS];
        int rank = 0;
        for (int upper = 0; upper < guide.length; upper++) {
            while (ends[rank] <= (long) upper << Integer.SIZE - GUIDE_BITS) {
                rank++;
            }
            guide[upper] = rank;
        }
        return guide;
    }

    int draw(SplitMix random) {
        if (ends.length == 0) {
            return random.below(count);
        }
        long place = random.upper();
        int rank = guide[(int) (place >>> Integer.SIZE - GUIDE_BITS)];
        while (ends[rank] <= place) {
            rank++;
        }
        return ofRank[rank];
    }
}
