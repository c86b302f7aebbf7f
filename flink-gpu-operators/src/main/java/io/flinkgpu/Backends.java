package io.flinkgpu;

import io.flinkgpu.api.BackendChoice;
import io.flinkgpu.api.BatchPolicy;
import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.backend.Backend;
import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.BackendFactory;
import io.flinkgpu.backend.cpu.CpuBackend;
import io.flinkgpu.backend.cuda.CudaBackend;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Picks the backend. The only place that does. */
public final class Backends {

    private static final Logger LOG = LoggerFactory.getLogger(Backends.class);

    /** What was chosen in this process, so that many subtasks say the same thing once. */
    private static final Set<String> ANNOUNCED = ConcurrentHashMap.newKeySet();

    private Backends() {}

    /** Opens what the options' choice says; the choice is made on the TaskManager. */
    public static BackendFactory of(GpuOptions options) {
        return switch (options.backend()) {
            case AUTO -> new Auto(options.batchPolicy());
            case CPU -> Backends::openCpu;
            case CUDA -> Backends::openCudaOnly;
        };
    }

    /** Opens what the choice says, for the default batch policy. */
    public static BackendFactory of(BackendChoice choice) {
        return of(GpuOptions.DEFAULT.withBackend(choice));
    }

    /** Opens what runs the batches a GPU has no memory for. */
    static BackendFactory cpu() {
        return Backends::openCpu;
    }

    /** Chooses for batches of a policy. */
    private record Auto(BatchPolicy policy) implements BackendFactory {

        private static final long serialVersionUID = 1L;

        @Override
        public Backend open(long memoryLimitBytes, int deviceSlot) throws BackendException {
            return open(memoryLimitBytes, deviceSlot, 1);
        }

        @Override
        public Backend open(long memoryLimitBytes, int deviceSlot, int sharers)
                throws BackendException {
            return new AutoBackend(
                    Backends::openCuda,
                    Backends::openCpu,
                    new AutoBackend.Subtask(memoryLimitBytes, deviceSlot, sharers, policy),
                    System::nanoTime,
                    Backends::announce);
        }
    }

    private static void announce(String choice, String reason) {
        if (ANNOUNCED.add(choice)) {
            LOG.info("{}{}", choice, reason);
        }
    }

    private static Backend openCpu(long memoryLimitBytes, int deviceSlot) {
        return CpuBackend.open(memoryLimitBytes);
    }

    private static Backend openCuda(long memoryLimitBytes, int deviceSlot) throws BackendException {
        return CudaBackend.open(memoryLimitBytes, deviceSlot);
    }

    /** Where nothing else was allowed, the reason needs a remedy. */
    private static Backend openCudaOnly(long memoryLimitBytes, int deviceSlot)
            throws BackendException {
        try {
            return openCuda(memoryLimitBytes, deviceSlot);
        } catch (BackendException e) {
            throw new BackendException(
                    e.getMessage() + "; choose BackendChoice.AUTO or CPU to run without a GPU", e);
        }
    }
}
