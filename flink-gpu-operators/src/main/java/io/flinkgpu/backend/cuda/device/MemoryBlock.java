package io.flinkgpu.backend.cuda.device;

/**
 * Memory as its source gave it, which is given back as it is.
 *
 * @param address aligned to 256 bytes
 * @param bytes the number that was asked for
 * @param isLent whether it is lent for the batches under way, and is to be given back after them
 */
record MemoryBlock(long address, long bytes, boolean isLent) {}
