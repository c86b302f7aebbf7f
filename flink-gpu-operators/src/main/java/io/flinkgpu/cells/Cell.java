package io.flinkgpu.cells;

import org.apache.flink.annotation.Internal;

/** Bytes of one group, off the heap, which may become more or fewer. Not thread-safe. */
@Internal
public interface Cell {

    /** Where the first byte is; another place after each {@link #resize}. */
    long address();

    /** How many bytes there are; 0 if nothing was added yet. */
    int length();

    /**
     * Makes the cell longer or shorter. The first bytes stay, as many as both lengths have; those after
     * them may be anything.
     */
    void resize(int length);
}
