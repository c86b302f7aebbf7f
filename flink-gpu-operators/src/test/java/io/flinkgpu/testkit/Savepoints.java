package io.flinkgpu.testkit;

import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.SavepointFormatType;

import java.net.URI;
import java.nio.file.Path;
import java.util.concurrent.ExecutionException;

/** Savepoints of jobs in the test's own process. */
public final class Savepoints {

    private Savepoints() {}

    /**
     * Stops a job, once all of its tasks run.
     *
     * @return the savepoint's folder, in the given one
     */
    public static Path stop(JobClient job, Path folder, SavepointFormatType format)
            throws Exception {
        while (true) {
            try {
                return Path.of(
                        URI.create(
                                job.stopWithSavepoint(false, folder.toUri().toString(), format)
                                        .get()));
            } catch (ExecutionException e) {
                if (!e.getMessage().contains("Not all required tasks are currently running")) {
                    throw e;
                }
                Thread.sleep(20);
            }
        }
    }
}
