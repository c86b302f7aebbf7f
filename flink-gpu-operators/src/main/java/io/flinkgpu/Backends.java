package io.flinkgpu;

import io.flinkgpu.api.BackendChoice;
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

    /** What was logged in this process, so that many subtasks say the same thing once. */
    private static final Set<String> ANNOUNCED = ConcurrentHashMap.newKeySet();

    private Backends() {}

    /** Opens what the choice says; the choice is made on the TaskManager. */
    public static BackendFactory of(BackendChoice choice) {
        return switch (choice) {
            case AUTO -> Backends::openAuto;
            case CPU -> Backends::openCpu;
            case CUDA -> Backends::openCudaOnly;
        };
    }

    /** Opens what runs the batches a GPU has no memory for. */
    static BackendFactory cpu() {
        return Backends::openCpu;
    }

    private static Backend openAuto(long memoryLimitBytes, int deviceSlot) throws BackendException {
        return new AutoBackend(
                Backends::openCuda,
                Backends::openCpu,
                memoryLimitBytes,
                deviceSlot,
                Backends::announce);
    }

    private static void announce(String line) {
        if (ANNOUNCED.add(line)) {
            LOG.info(line);
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
