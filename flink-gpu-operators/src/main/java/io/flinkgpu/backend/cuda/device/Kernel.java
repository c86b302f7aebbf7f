package io.flinkgpu.backend.cuda.device;

import jcuda.driver.CUfunction;

/**
 * A kernel of a loaded module, valid as long as that.
 *
 * @param name as in the CUDA source
 * @param function the driver's handle
 */
public record Kernel(String name, CUfunction function) {}
