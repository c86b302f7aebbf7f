package io.flinkgpu.backend.cuda.device;

import org.apache.flink.annotation.Internal;

/**
 * A device that can run the kernels.
 *
 * @param ordinal its number among the devices that this process sees
 * @param name the model
 * @param computeCapability major * 10 + minor
 * @param sharedBytesPerBlock shared memory that a block may ask for
 * @param sharedBytesPerMultiprocessor what its blocks have together
 */
@Internal
public record CudaDevice(
        int ordinal,
        String name,
        int computeCapability,
        int multiprocessors,
        int sharedBytesPerBlock,
        int sharedBytesPerMultiprocessor) {}
