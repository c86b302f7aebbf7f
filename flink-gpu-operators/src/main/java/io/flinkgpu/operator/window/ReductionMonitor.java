package io.flinkgpu.operator.window;

/**
 * Decides whether local aggregation pays. After a few batches in a row that had about one group per
 * row, records are sent raw for a while; then a batch is tried again. That changes the cost, never the
 * results. Task thread only.
 */
final class ReductionMonitor {

    /** Batches in a row that must be poor at first; later one is enough. */
    static final int POOR_BATCHES = 3;

    /** Rows sent raw for each row of the poor batches. */
    static final int RAW_ROWS = 16;

    private int poorBatches;
    private long poorRows;
    private long rawRows;

    /** Whether the next row goes raw; called once for each. */
    boolean takeRaw() {
        if (rawRows == 0) {
            return false;
        }
        rawRows--;
        return true;
    }

    /** Counts a completed batch. */
    void completed(int rows, int groups) {
        if (rawRows > 0) {
            return;
        }
        if (5L * groups <= 4L * rows) {
            poorBatches = 0;
            poorRows = 0;
            return;
        }
        poorBatches++;
        poorRows += rows;
        if (poorBatches >= POOR_BATCHES) {
            rawRows = RAW_ROWS * poorRows;
            poorBatches = POOR_BATCHES - 1;
            poorRows = 0;
        }
    }
}
