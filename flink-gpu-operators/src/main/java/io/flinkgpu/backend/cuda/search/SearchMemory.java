package io.flinkgpu.backend.cuda.search;

/** Device memory for a corpus: a part of it for each tile. */
interface SearchMemory {

    /** What {@link #take} gives where there is no room. */
    long NONE = 0;

    /** Takes memory, aligned to 256 bytes. */
    long take(long bytes);

    /** Gives back what was taken at an address. */
    void giveBack(long address);

    /** How much is taken. */
    long takenBytes();
}
