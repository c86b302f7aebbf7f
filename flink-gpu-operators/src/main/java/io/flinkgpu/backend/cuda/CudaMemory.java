package io.flinkgpu.backend.cuda;

/**
 * Where the memory of a backend comes from.
 *
 * @param device takes the buffers that kernels read and write
 * @param pinned has the columns of the host
 */
record CudaMemory(MemorySource device, PinnedMemory pinned) {}
