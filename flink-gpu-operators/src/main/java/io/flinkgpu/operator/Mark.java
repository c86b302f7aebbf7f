package io.flinkgpu.operator;

import org.apache.flink.annotation.Internal;

/** Something on a stream that is no record and keeps its place among the records, as a watermark. */
@FunctionalInterface
@Internal
public interface Mark {

    /** Passes it on. */
    void forward() throws Exception;
}
