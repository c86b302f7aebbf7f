package io.flinkgpu.bench;

import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.runtime.testutils.CommonTestUtils;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.util.FileUtils;

import java.io.IOException;
import java.net.URI;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * What a job needs once all its rows have come, and none of the windows that are open then has fired.
 *
 * @param heap bytes of the heap that are reachable, the cluster's among them
 * @param beside resident bytes beside the heap; see {@link Memory}
 * @param checkpoint bytes of a full checkpoint; 0 without one
 * @param checkpointSeconds that it took; 0 without one
 */
record HeldJob(long heap, long beside, long checkpoint, double checkpointSeconds) {

    private static final double IDLE_CPU_SHARE = 0.1;
    private static final int IDLE_MILLIS = 300;

    /**
     * Runs a job whose source waits in {@link KeysHold}.
     *
     * @param of what the job is configured with
     * @param checkpoints whether it can take checkpoints
     * @param build adds the job to an environment
     */
    static HeldJob run(
            Jobs jobs,
            int parallelism,
            Configuration of,
            boolean checkpoints,
            Consumer<StreamExecutionEnvironment> build)
            throws Exception {
        Path folder = Files.createTempDirectory("keys-checkpoint");
        try {
            Configuration configuration = new Configuration(of);
            if (checkpoints) {
                configure(configuration, folder);
            }
            StreamExecutionEnvironment environment = jobs.environment(parallelism, configuration);
            build.accept(environment);
            KeysHold hold = KeysHold.begin(parallelism);
            JobClient job = environment.executeAsync();
            HeldJob held;
            try {
                hold.await(job.getJobExecutionResult());
                held = measure(jobs, job, checkpoints);
            } finally {
                hold.release();
                job.getJobExecutionResult().get();
            }
            return held;
        } finally {
            FileUtils.deleteDirectory(folder.toFile());
        }
    }

    private static HeldJob measure(Jobs jobs, JobClient job, boolean checkpoints) throws Exception {
        long bytes = 0;
        double seconds = 0;
        if (checkpoints) {
            // The source may have all its rows on their way before the tasks after it run.
            CommonTestUtils.waitForAllTaskRunning(jobs.cluster(), job.getJobID(), false);
            // After all rows on their way.
            long start = System.nanoTime();
            String path = jobs.cluster().triggerCheckpoint(job.getJobID()).get();
            seconds = (System.nanoTime() - start) / 1e9;
            bytes = bytes(Path.of(URI.create(path)));
        } else {
            awaitIdle();
        }
        Memory full = Memory.now();
        return new HeldJob(full.heap(), full.beside(), bytes, seconds);
    }

    private static void awaitIdle() throws Exception {
        Cost cost;
        do {
            cost = Cost.of(() -> Thread.sleep(IDLE_MILLIS));
        } while (cost.cpuSeconds() > IDLE_CPU_SHARE * cost.wallSeconds());
    }

    /** A checkpoint only when one is asked for. */
    private static void configure(Configuration configuration, Path folder) {
        configuration.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, Duration.ofDays(1));
        configuration.set(CheckpointingOptions.CHECKPOINTING_TIMEOUT, Duration.ofMinutes(10));
        configuration.set(CheckpointingOptions.CHECKPOINT_STORAGE, "filesystem");
        configuration.set(CheckpointingOptions.CHECKPOINTS_DIRECTORY, folder.toUri().toString());
    }

    /** Of a checkpoint that shares no files with others. */
    private static long bytes(Path folder) throws IOException {
        long bytes = 0;
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
            for (Path file : files) {
                bytes += Files.size(file);
            }
        }
        return bytes;
    }
}
