package io.flinkgpu.backend.cuda;

/**
 * A device that can run the kernels.
 *
 * @param ordinal its number among the devices that this process sees
 * @param name the model
 * @param computeCapability major * 10 + minor
 */
record CudaDevice(int ordinal, String name, int computeCapability) {}
