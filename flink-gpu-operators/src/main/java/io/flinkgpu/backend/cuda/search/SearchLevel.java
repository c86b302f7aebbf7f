package io.flinkgpu.backend.cuda.search;

import java.util.ArrayList;
import java.util.List;

/**
 * Which groups of documents of a tile are searched in a step: every so many, but for those of the step before.
 * The k-th best document of a few says what those of the rest have to reach: so of a hundred times as many
 * documents only some thousand more become candidates.
 *
 * @param strideLog every 2^strideLog-th group
 * @param first of them
 * @param skipMask left out are those of which these bits
 * @param skipFirst are these
 */
record SearchLevel(int strideLog, int first, int skipMask, int skipFirst) {

    /** All documents at once. */
    static final SearchLevel ALL = new SearchLevel(0, 0, 0, 1);

    private static final int STEP_LOG = 5;
    private static final int MOST_LOG = 2 * STEP_LOG;

    /**
     * The steps for so many documents.
     *
     * @param sampleDocuments about so many are in the first step, if there are more
     */
    static List<SearchLevel> of(long documents, int sampleDocuments) {
        int log = 0;
        while (log < MOST_LOG && documents >> log > sampleDocuments) {
            log += STEP_LOG;
        }
        List<SearchLevel> levels = new ArrayList<>();
        levels.add(new SearchLevel(log, first(log), 0, 1));
        for (; log > 0; log -= STEP_LOG) {
            int next = log - STEP_LOG;
            levels.add(new SearchLevel(next, first(next), (1 << log) - 1, first(log)));
        }
        return levels;
    }

    /** In the middle of a tile's sizes, and the same for all strides in what they have in common. */
    private static int first(int log) {
        int first = 0;
        for (int i = STEP_LOG; i <= log; i += STEP_LOG) {
            first += 1 << (i - 1);
        }
        return first;
    }
}
