package io.flinkgpu.backend.cuda.device;

import org.apache.flink.annotation.Internal;

import org.apache.arrow.memory.BufferAllocator;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Where the memory of a backend comes from.
 *
 * @param device takes the buffers of batches; backend thread only
 * @param kept takes what stays on the device as long as a program; any thread
 * @param pinned has the columns of the host
 * @param columns allocates them; any thread
 * @param linkNanos how long copies took; any thread
 */
@Internal
public record CudaMemory(
        DeviceBudget.Share device,
        MemorySource kept,
        PinnedMemory pinned,
        BufferAllocator columns,
        AtomicLong linkNanos) {}
