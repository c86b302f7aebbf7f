package io.flinkgpu.api;

import org.apache.flink.annotation.PublicEvolving;

/** Which backend runs the batches. Both give the same bytes. */
@PublicEvolving
public enum BackendChoice {
    /**
     * CUDA when driver, device, kernels and memory are there and it runs the program faster than a core
     * does, measured when the operator opens; else CPU. Logs once which and why.
     */
    AUTO,
    /** Never touches CUDA. */
    CPU,
    /** CUDA, or the job fails with the reason. */
    CUDA
}
