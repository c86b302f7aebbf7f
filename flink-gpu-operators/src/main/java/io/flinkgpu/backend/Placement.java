package io.flinkgpu.backend;

import org.apache.flink.annotation.Internal;

/**
 * Where a backend runs its batches.
 *
 * @param ordinal of the device among those of its kind that this process sees; 0 for the CPU
 * @param name of the device
 * @param sharers how many subtasks of the operator in this process share the device, at most, this one
 *     included; a core is a subtask's own
 */
@Internal
public record Placement(Kind kind, int ordinal, String name, int sharers) {

    /** What kind of device it is. */
    public enum Kind {
        CPU,
        CUDA
    }

    /** A core of this machine. */
    public static final Placement ON_CPU = new Placement(Kind.CPU, 0, "cpu", 1);

    /** Whether batches run on a GPU. */
    public boolean isGpu() {
        return kind == Kind.CUDA;
    }

    /** For logs: {@code "cpu"}, {@code "cuda:0 (NVIDIA H200)"}. */
    @Override
    public String toString() {
        return isGpu() ? "cuda:" + ordinal + " (" + name + ")" : name;
    }
}
