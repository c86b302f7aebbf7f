package io.flinkgpu.bench;

import io.flinkgpu.api.BackendChoice;

/** Names of what does the work, as figures have them. */
final class Engines {

    /** The CPU backend on one core. */
    static final String CPU = "cpu";

    /** The CPU backend on all cores, each with a backend of its own. */
    static final String ALL_CORES = "cpu-all-cores";

    /** The kernels of a batch that is alone on the device, by device events. */
    static final String KERNELS = "kernels";

    /** From pinned memory to pinned memory, one thread, several batches in flight. */
    static final String GPU = "gpu";

    /** The same from several threads with a backend each, as subtasks have. */
    static final String GPU_THREADS = "gpu-threads";

    /** A Flink job with the CPU backend. */
    static final String FLINK_CPU = "flink-cpu";

    /** A Flink job with the GPU. */
    static final String FLINK_GPU = "flink-gpu";

    /** A Flink job with an empty map in the operator's place. */
    static final String FLINK_MAP = "flink-map";

    /** A Flink job that gathers on the host what a GPU computes with. */
    static final String FLINK_GATHER = "flink-gather";

    /** A Flink job whose batches are answered at once, by scores that mean nothing: what the host does. */
    static final String FLINK_HOST = "flink-host";

    /** Windows of ours over records, CPU backend. */
    static final String OURS = "ours";

    /** The same without local aggregation. */
    static final String OURS_PLAIN = "ours-plain";

    /** Windows of ours over records, CPU backend, with less memory than by default. */
    static final String OURS_LIMITED = "ours-limited";

    /** Windows of ours over records, GPU. */
    static final String OURS_GPU = "ours-gpu";

    /** A job of ours on lines, CPU backend. */
    static final String OURS_CPU = "ours-cpu";

    /** A job of ours on lines, GPU. */
    static final String OURS_CUDA = "ours-cuda";

    /** Flink's own window operator. */
    static final String FLINK = "flink";

    static final String FLINK_SQL = "flink-sql";

    static final String DUCKDB = "duckdb";

    /** A job's rows alone, made and thrown away. */
    static final String SOURCE = "source";

    private Engines() {}

    /** Of a job. */
    static String flink(BackendChoice backend) {
        return backend == BackendChoice.CUDA ? FLINK_GPU : FLINK_CPU;
    }
}
