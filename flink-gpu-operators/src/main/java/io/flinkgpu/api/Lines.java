package io.flinkgpu.api;

import org.apache.flink.annotation.PublicEvolving;

/** Whole lines of a file: their bytes, or where they are. */
@PublicEvolving
public interface Lines {

    /** Where the lines come from; for messages and grouping. */
    String file();

    /** {@link LineChunk}: where the first line starts; {@link LineRange}: where the range does. */
    long offsetBytes();
}
