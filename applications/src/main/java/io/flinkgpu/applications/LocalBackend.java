package io.flinkgpu.applications;

import io.flinkgpu.Backends;
import io.flinkgpu.api.BackendChoice;
import io.flinkgpu.backend.Backend;
import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.OpenRequest;

import org.apache.flink.streaming.api.environment.LocalStreamEnvironment;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

import java.util.Locale;
import java.util.Optional;

/**
 * What runs the batches of jobs on this machine, as far as it is settled before they start. One backend
 * stays open meanwhile, and with it the context of its GPU: no job has to wait until there is one.
 *
 * @param description for people
 */
public record LocalBackend(BackendChoice choice, String description, Optional<Backend> kept)
        implements AutoCloseable {

    private static final long KEPT_BYTES = 1 << 20;

    /**
     * Tries a choice, if the job runs on this machine. The caller closes it.
     *
     * @throws UsageException if the backend that was asked for is not there, with the reason
     */
    public static LocalBackend of(StreamExecutionEnvironment env, BackendChoice choice)
            throws UsageException {
        if (!(env instanceof LocalStreamEnvironment)) {
            return new LocalBackend(choice, "as chosen by the TaskManagers", Optional.empty());
        }
        try {
            Backend backend = Backends.of(choice).open(OpenRequest.of(KEPT_BYTES));
            // Which is faster shows when operators open; without a GPU they log why.
            String where =
                    backend.placement().isGpu() && choice == BackendChoice.AUTO
                            ? " where it is faster than the CPU"
                            : "";
            return new LocalBackend(choice, backend.placement() + where, Optional.of(backend));
        } catch (BackendException e) {
            throw new UsageException(
                    "--backend "
                            + choice.name().toLowerCase(Locale.ROOT)
                            + " cannot run here: "
                            + Causes.oneLine(e)
                            + "; use --backend cpu or auto");
        }
    }

    @Override
    public void close() {
        kept.ifPresent(Backend::close);
    }
}
