package io.flinkgpu.sets;

import io.flinkgpu.api.search.Similarity;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Covers: SetScores.
 */
class SetScoresTest {

    private static final int MAX = 1_024;

    @ParameterizedTest
    @EnumSource(Similarity.class)
    void keysAreInTheOrderOfFractions(Similarity similarity) {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int i = 0; i < 300_000; i++) {
            int[] a = pair(random);
            int[] b = random.nextInt(4) == 0 ? neighbour(a, random) : pair(random);
            long left =
                    (long) similarity.numerator(a[0], a[1], a[2])
                            * similarity.denominator(b[0], b[1], b[2]);
            long right =
                    (long) similarity.numerator(b[0], b[1], b[2])
                            * similarity.denominator(a[0], a[1], a[2]);
            assertThat(Integer.compare(key(similarity, a), key(similarity, b)))
                    .as("seed=%s, a=%s, b=%s", seed, a, b)
                    .isEqualTo(Long.compare(left, right));
            assertThat(Double.compare(score(similarity, a), score(similarity, b)))
                    .as("seed=%s, a=%s, b=%s", seed, a, b)
                    .isEqualTo(Long.compare(left, right));
        }
    }

    @ParameterizedTest
    @EnumSource(Similarity.class)
    void theLeastNumberInCommonIsTheFirstThatWillDo(Similarity similarity) {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int i = 0; i < 20_000; i++) {
            int querySize = random.nextInt(20);
            int documentSize = random.nextInt(20);
            int least = random.nextInt(2);
            int[] other = pair(random);
            int minKey = random.nextBoolean() ? 0 : key(similarity, other);
            double minScore = random.nextBoolean() ? -1 : score(similarity, pair(random));
            int expected = SetScores.NEVER;
            for (int c = Math.min(querySize, documentSize); c >= least; c--) {
                if (SetScores.key(similarity, c, querySize, documentSize) >= minKey
                        && similarity.score(c, querySize, documentSize) >= minScore) {
                    expected = c;
                }
            }
            assertThat(
                            SetScores.leastCommon(
                                    similarity, querySize, documentSize, least, minKey, minScore))
                    .as("seed=%s, step=%s", seed, i)
                    .isEqualTo(expected);
        }
    }

    private static int key(Similarity similarity, int[] pair) {
        return SetScores.key(similarity, pair[0], pair[1], pair[2]);
    }

    private static double score(Similarity similarity, int[] pair) {
        return similarity.score(pair[0], pair[1], pair[2]);
    }

    /** What two sets have in common, at least one element, and their sizes. */
    private static int[] pair(Random random) {
        int bound = random.nextBoolean() ? MAX : 8;
        int querySize = 1 + random.nextInt(bound);
        int documentSize = 1 + random.nextInt(bound);
        return new int[] {
            1 + random.nextInt(Math.min(querySize, documentSize)), querySize, documentSize
        };
    }

    /** The largest sets whose fractions differ least. */
    private static int[] neighbour(int[] pair, Random random) {
        int common = Math.max(1, pair[0] - random.nextInt(2));
        int querySize = Math.min(MAX, pair[1] + random.nextInt(2));
        int documentSize = Math.min(MAX, pair[2] + random.nextInt(2));
        return new int[] {
            Math.min(common, Math.min(querySize, documentSize)), querySize, documentSize
        };
    }
}
