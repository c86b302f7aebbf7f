package io.flinkgpu.backend.cpu.row;

/** An instruction bound to its registers, for one row. */
@FunctionalInterface
interface StringOp {

    /**
     * @param texts of the row: columns, and behind them literals
     * @throws NeedsColumnsException if they do not tell
     */
    void run(String[] texts);
}
