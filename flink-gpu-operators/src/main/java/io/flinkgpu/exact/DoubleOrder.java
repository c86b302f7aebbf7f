package io.flinkgpu.exact;

import org.apache.flink.annotation.Internal;

/** Doubles as longs that have the same order: that of {@link Double#compare}, all NaNs being one. */
@Internal
public final class DoubleOrder {

    private DoubleOrder() {}

    /** The long for the double with these bits, which are as {@link Double#doubleToLongBits} gives. */
    public static long toOrdered(long bits) {
        return bits ^ ((bits >> 63) & Long.MAX_VALUE);
    }

    /** The bits of the double that a long stands for. */
    public static long toBits(long ordered) {
        return ordered ^ ((ordered >> 63) & Long.MAX_VALUE);
    }
}
