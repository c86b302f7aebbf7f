package io.flinkgpu.backend.cpu.transform;

import org.apache.flink.annotation.Internal;

/** A number for each row of a block: an integer, or the bits of a double. */
@Internal
public final class Numbers {

    public final long[] words;
    public final boolean[] nulls;

    public Numbers(int rows) {
        words = new long[rows];
        nulls = new boolean[rows];
    }
}
