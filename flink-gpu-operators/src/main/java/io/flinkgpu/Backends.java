package io.flinkgpu;

import io.flinkgpu.api.BackendChoice;
import io.flinkgpu.api.BatchPolicy;
import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.backend.Backend;
import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.BackendFactory;
import io.flinkgpu.backend.OpenRequest;
import io.flinkgpu.backend.auto.AutoBackend;
import io.flinkgpu.backend.auto.Calibration;
import io.flinkgpu.backend.auto.SharedChoices;
import io.flinkgpu.backend.cpu.CpuBackend;
import io.flinkgpu.backend.cuda.CudaBackend;
import io.flinkgpu.operator.BatchOperatorFactory;
import io.flinkgpu.operator.BatchSpec;

import org.apache.flink.annotation.Internal;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.UUID;

/** Picks the backend. The only place that does. */
@Internal
public final class Backends {

    private static final Logger LOG = LoggerFactory.getLogger(Backends.class);

    private Backends() {}

    /**
     * Opens what the options' choice says, for one operator: the choice is made on the TaskManager, by
     * the first of its subtasks there.
     */
    public static BackendFactory of(GpuOptions options) {
        return switch (options.backend()) {
            case AUTO -> new Auto(UUID.randomUUID(), options.batchPolicy());
            case CPU -> CpuBackend::open;
            case CUDA -> Backends::openCudaOnly;
        };
    }

    /** Opens what the choice says, for the default batch policy. */
    public static BackendFactory of(BackendChoice choice) {
        return of(GpuOptions.DEFAULT.withBackend(choice));
    }

    /** Operators on the options' backend; a batch that a GPU has no memory for runs on the CPU. */
    static <IN, OUT> BatchOperatorFactory<IN, OUT> operators(
            BatchSpec<IN, OUT, ?> spec, GpuOptions options) {
        return new BatchOperatorFactory<>(spec, options, of(options), CpuBackend::open);
    }

    /** Chooses for batches of a policy; of the same operator in all subtasks. */
    private record Auto(UUID operator, BatchPolicy policy) implements BackendFactory {

        private static final long serialVersionUID = 1L;

        @Override
        public Backend open(OpenRequest request) throws BackendException {
            return new AutoBackend(
                    CudaBackend::open,
                    CpuBackend::open,
                    new AutoBackend.Subtask(operator, request, policy),
                    SharedChoices.OF_PROCESS,
                    Calibration.Clock.SYSTEM,
                    new AutoBackend.Announcer(LOG::info, LOG::warn));
        }
    }

    /** Where nothing else was allowed, the reason needs a remedy. */
    private static Backend openCudaOnly(OpenRequest request) throws BackendException {
        try {
            return CudaBackend.open(request);
        } catch (BackendException e) {
            throw new BackendException(
                    e.getMessage() + "; choose BackendChoice.AUTO or CPU to run without a GPU", e);
        }
    }
}
