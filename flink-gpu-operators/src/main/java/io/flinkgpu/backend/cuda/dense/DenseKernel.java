package io.flinkgpu.backend.cuda.dense;

import org.apache.flink.annotation.Internal;

/** What a network launches; the emulation knows the ordinals. */
@Internal
public enum DenseKernel {
    LINEAR,
    FAST,
    DOT,
    CROSS,
    CROSSES,
    EACH
}
