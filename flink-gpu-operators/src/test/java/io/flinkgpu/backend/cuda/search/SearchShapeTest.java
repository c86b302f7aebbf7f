package io.flinkgpu.backend.cuda.search;

import org.junit.jupiter.api.Test;

import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How blocks share the work of a search.
 *
 * <p>Covers: SearchShape.
 */
class SearchShapeTest {

    private static final int WAVES = 8;
    private static final int MASK_GROUPS = 40;

    @Test
    void documentsAreCutIntoAsManyPartsAsTakeTheLeastTime() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        for (int run = 0; run < 500; run++) {
            int multiprocessors = 1 + random.nextInt(200);
            int groups = 1 + random.nextInt(random.nextBoolean() ? 16 : 300);
            long documents = 1 + random.nextInt(random.nextBoolean() ? 100 : 1 << 20);
            SearchShape shape =
                    new SearchShape(multiprocessors, 1 << 17, 512, 1 << 16, () -> SearchCosts.H200);
            double least = Double.MAX_VALUE;
            int best = 0;
            for (int stripes = 1;
                    stripes == 1 || isPossible(shape, groups, documents, stripes);
                    stripes++) {
                double time = time(multiprocessors, groups, documents, stripes);
                best = time < least ? stripes : best;
                least = Math.min(least, time);
            }
            assertThat(shape.stripes(groups, documents))
                    .as("seed=%s, run=%s", seed, run)
                    .isEqualTo(best);
        }
    }

    private static boolean isPossible(SearchShape shape, int groups, long documents, int stripes) {
        return stripes <= documents && stripes <= WAVES * shape.multiprocessors() / groups;
    }

    /** Of all waves of blocks, in groups of documents. */
    private static double time(int multiprocessors, int groups, long documents, int stripes) {
        int waves = (groups * stripes + multiprocessors - 1) / multiprocessors;
        return waves * ((double) documents / stripes + MASK_GROUPS);
    }
}
