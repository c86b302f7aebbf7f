package io.flinkgpu.backend.cpu.dense;

/** A layer, between buffers that are its own knowledge. */
interface CpuStep {

    /** Computes the first rows of the block. */
    void run(int rows);
}
