package io.flinkgpu.examples;

import io.flinkgpu.GpuStreams;
import io.flinkgpu.api.BackendChoice;
import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.backend.BackendException;

import org.apache.flink.streaming.api.environment.LocalStreamEnvironment;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

import java.util.Locale;

/**
 * What runs the batches of a job on this machine, settled, and logged, once for all subtasks.
 *
 * @param description for people
 */
record LocalBackend(BackendChoice choice, String description) {

    /**
     * Tries a choice, if the job runs on this machine.
     *
     * @throws UsageException if the backend that was asked for is not there, with the reason
     */
    static LocalBackend of(StreamExecutionEnvironment env, BackendChoice choice)
            throws UsageException {
        if (!(env instanceof LocalStreamEnvironment)) {
            return new LocalBackend(choice, "as chosen by the TaskManagers");
        }
        try {
            String description = GpuStreams.describeBackend(GpuOptions.DEFAULT.withBackend(choice));
            return new LocalBackend(
                    description.startsWith("cuda") ? BackendChoice.CUDA : BackendChoice.CPU,
                    description);
        } catch (BackendException e) {
            throw new UsageException(
                    "--backend "
                            + choice.name().toLowerCase(Locale.ROOT)
                            + " cannot run here: "
                            + Causes.oneLine(e)
                            + "; use --backend cpu or auto");
        }
    }
}
