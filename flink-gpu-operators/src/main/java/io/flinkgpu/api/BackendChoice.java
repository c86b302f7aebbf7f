package io.flinkgpu.api;

/** Which backend runs the batches. Both give the same bytes. */
public enum BackendChoice {
    /** CUDA when driver, device, kernels and memory are there, else CPU; logs once which and why. */
    AUTO,
    /** Never touches CUDA. */
    CPU,
    /** CUDA, or the job fails with the reason. */
    CUDA
}
