package io.flinkgpu.api.dense;

import org.apache.flink.annotation.PublicEvolving;

/** What a layer does with each of its numbers at its end. The order is known to the kernels. */
@PublicEvolving
public enum DenseActivation {
    /** Nothing. */
    NONE,

    /** 0.0 for what is at most zero, -0.0 too; other numbers and NaN stay. */
    RELU,

    /** {@code 1 / (1 + exp(-x))}, defined bit by bit in {@link DensePlan}. */
    SIGMOID
}
