package io.flinkgpu.backend.cpu.transform;

import org.apache.flink.annotation.Internal;

/** An instruction bound to its registers: a loop over the rows of a block. */
@FunctionalInterface
@Internal
public interface BlockOp {

    /**
     * @param firstRow of the block in its batch
     * @param rows in the block
     */
    void run(int firstRow, int rows);
}
