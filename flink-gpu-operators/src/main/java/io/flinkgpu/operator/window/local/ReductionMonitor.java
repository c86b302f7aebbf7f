package io.flinkgpu.operator.window.local;

import org.apache.flink.annotation.Internal;

/**
 * Decides whether grouping rows before they are sent pays. After a sample of rows that came to more than
 * half as many groups, rows are sent one by one for a while; then another sample is grouped. That
 * changes the cost, never the results. Task thread only.
 */
@Internal
public final class ReductionMonitor {

    /** Rows in a sample. */
    public static final int SAMPLE_ROWS = 1 << 16;

    /** Rows sent one by one for each row of a poor sample. */
    static final int UNGROUPED_ROWS = 16;

    private final int sampleRows;
    private long rows;
    private long groups;
    private long ungrouped;

    /**
     * @param sampleRows how many rows are grouped before it is decided, at least
     */
    public ReductionMonitor(int sampleRows) {
        this.sampleRows = sampleRows;
    }

    /** Whether the next row is sent by itself; called once for each. */
    public boolean takeUngrouped() {
        if (ungrouped == 0) {
            return false;
        }
        ungrouped--;
        return true;
    }

    /** Counts rows that were grouped, and the groups that they began. */
    public void grouped(int moreRows, int newGroups) {
        rows += moreRows;
        groups += newGroups;
        if (rows >= sampleRows) {
            // Of batches that were on their way meanwhile nothing more is learned.
            if (ungrouped == 0 && 2 * groups > rows) {
                ungrouped = UNGROUPED_ROWS * rows;
            }
            rows = 0;
            groups = 0;
        }
    }
}
