package io.flinkgpu.backend.cuda.device;

import org.apache.flink.annotation.Internal;

import jcuda.driver.CUfunction;

/**
 * A kernel of a loaded module, valid as long as that.
 *
 * @param name as in the CUDA source
 * @param function the driver's handle
 */
@Internal
public record Kernel(String name, CUfunction function) {}
