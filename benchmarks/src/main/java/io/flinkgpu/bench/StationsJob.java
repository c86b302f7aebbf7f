package io.flinkgpu.bench;

import io.flinkgpu.api.BackendChoice;

import org.apache.flink.core.fs.Path;

/**
 * A job on a file of measurements, in the lab's cluster.
 *
 * @param seconds from its execution to its result
 */
record StationsJob(double seconds, Stations stations) {

    private static final int MOST_RESULTS = 1 << 21;

    /** More subtasks than this do not make one GPU faster. */
    private static final int GPU_SUBTASKS = 8;

    /** Subtasks that are best. */
    static int parallelism(BackendChoice backend) {
        int cores = Runtime.getRuntime().availableProcessors();
        return backend == BackendChoice.CUDA ? Math.min(GPU_SUBTASKS, cores) : cores;
    }

    /** Ours. */
    static StationsJob run(Lab lab, BackendChoice backend, java.nio.file.Path file)
            throws Exception {
        return run(
                lab,
                (environment, path) -> BillionRowsBench.ours(environment, path, backend, true),
                parallelism(backend),
                file);
    }

    static StationsJob run(
            Lab lab, BillionRowsBench.Engine engine, int parallelism, java.nio.file.Path file)
            throws Exception {
        Path path = new Path(file.toUri());
        long start = System.nanoTime();
        var rows =
                engine.results(lab.jobs().environment(parallelism), path)
                        .executeAndCollect(MOST_RESULTS);
        return new StationsJob((System.nanoTime() - start) / 1e9, Stations.of(rows));
    }
}
