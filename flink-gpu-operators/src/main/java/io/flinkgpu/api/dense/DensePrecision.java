package io.flinkgpu.api.dense;

import org.apache.flink.annotation.PublicEvolving;

/** How exactly a {@link DensePlan} is computed. */
@PublicEvolving
public enum DensePrecision {

    /** The bits that {@link DensePlan} defines, on every backend. */
    EXACT,

    /**
     * Not always the same bits, but within a bound: what a linear layer of several outputs gives, before its bias
     * and its activation, differs from the sum of {@code x[k] * w[k]} without any rounding by at most {@code (2^-7
     * + 2^-16 + n * 2^-22)} times the sum of {@code |x[k] * w[k]|}, for n inputs whose numbers, weights and
     * products are neither denormal nor infinite, and below 2 to the power of 127. All else is as exact as ever,
     * on inputs that may differ.
     *
     * <p>A GPU from compute capability 8.0 on rounds the inputs and weights of such layers to bf16 and multiplies
     * them on its tensor cores, several times as fast; a row's result does not depend on the other rows. The CPU,
     * and older GPUs, give the exact results.
     */
    FAST
}
