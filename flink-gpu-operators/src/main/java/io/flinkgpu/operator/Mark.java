package io.flinkgpu.operator;

/** Something on a stream that is no record and keeps its place among the records, as a watermark. */
@FunctionalInterface
public interface Mark {

    /** Passes it on. */
    void forward() throws Exception;
}
