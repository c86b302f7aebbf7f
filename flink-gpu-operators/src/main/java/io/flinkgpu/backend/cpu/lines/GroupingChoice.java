package io.flinkgpu.backend.cpu.lines;

/**
 * Whether lines are grouped, or given as they are because their keys hardly repeat: then each group would
 * be of one line, and to look for it a cache miss for nothing. Measured in each batch; where it does not
 * pay, lines are given ungrouped for a while, and then it is tried again. That changes the cost, never
 * the results. Backend thread only.
 */
final class GroupingChoice {

    /** Fewer lines say nothing of how often keys repeat. */
    static final int MIN_LINES = 1 << 16;

    /** Ungrouped lines for each line that was grouped in vain; twice as many each time in a row. */
    static final int UNGROUPED_LINES = 16;

    /** At most. */
    static final int MAX_UNGROUPED_LINES = 128;

    private long ungroupedLeft;
    private int nextUngrouped = UNGROUPED_LINES;

    /** Whether the next lines are grouped. */
    boolean groups() {
        return ungroupedLeft == 0;
    }

    /**
     * Notes what grouping gave so far in a batch, or in all of it.
     *
     * @param isEnd whether this is all of the batch
     */
    void grouped(long lines, int groups, boolean isEnd) {
        if (!groups() || lines < MIN_LINES) {
            return;
        }
        // Later lines of a batch find more groups that are there.
        boolean isPoor = isEnd ? 5L * groups > lines : 8L * groups > 5 * lines;
        if (isPoor) {
            ungroupedLeft = nextUngrouped * lines;
            nextUngrouped = Math.min(2 * nextUngrouped, MAX_UNGROUPED_LINES);
        } else if (isEnd) {
            nextUngrouped = UNGROUPED_LINES;
        }
    }

    /** Notes lines that were not grouped. */
    void ungrouped(long lines) {
        ungroupedLeft = Math.max(0, ungroupedLeft - lines);
    }
}
