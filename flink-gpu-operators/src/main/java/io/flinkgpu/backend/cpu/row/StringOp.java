package io.flinkgpu.backend.cpu.row;

/** An instruction bound to its registers, for one row. */
@FunctionalInterface
interface StringOp {

    /**
     * @param texts of the row: columns, and after them literals
     * @throws NeedsColumnsException if they do not give the answer
     */
    void run(String[] texts);
}
