package io.flinkgpu.sets;

import io.flinkgpu.api.search.Similarity;

import org.apache.flink.annotation.Internal;

/**
 * The exact order of {@link Similarity} as integers. Two different fractions with denominators up to {@code
 * M} differ by at least {@code 1 / (M (M - 1))}, so {@code floor(2^22 n / d)} is different for them, and in
 * their order, for all sets of up to 1,024 elements, whose denominators are at most 2,048.
 */
@Internal
public final class SetScores {

    private static final int KEY_BITS = 22;

    /** More elements than any two sets have in common. */
    public static final int NEVER = Integer.MAX_VALUE;

    private SetScores() {}

    /** The place of a similarity in the order of all of them: larger is better. */
    public static int key(Similarity similarity, int common, int querySize, int documentSize) {
        return common == 0
                ? 0
                : (int)
                        (((long) similarity.numerator(common, querySize, documentSize) << KEY_BITS)
                                / similarity.denominator(common, querySize, documentSize));
    }

    /**
     * The fewest elements that a document of some size has to have in common with a query.
     *
     * @param least 0, or 1 for documents that have anything in common with it
     * @param minKey {@link #key} is to be at least this
     * @param minScore {@link Similarity#score} is to be at least this
     * @return {@link #NEVER} if no number will do
     */
    public static int leastCommon(
            Similarity similarity,
            int querySize,
            int documentSize,
            int least,
            int minKey,
            double minScore) {
        int most = Math.min(querySize, documentSize);
        int low = least;
        int high = most + 1;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (key(similarity, middle, querySize, documentSize) >= minKey
                    && similarity.score(middle, querySize, documentSize) >= minScore) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low > most ? NEVER : low;
    }
}
