package io.flinkgpu.backend.cuda.dense;

import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.cuda.device.CudaStream;
import io.flinkgpu.backend.cuda.device.Kernel;
import io.flinkgpu.backend.cuda.device.LaunchConfig;

import org.apache.flink.annotation.Internal;

import java.util.EnumMap;
import java.util.Map;

/** The launches of a network on a slot's stream. */
@Internal
public final class DenseStream implements DenseQueue {

    private final CudaStream stream;
    private final Map<DenseKernel, Kernel> kernels = new EnumMap<>(DenseKernel.class);

    /** Where a slot gets kernels from. */
    @FunctionalInterface
    public interface Kernels {

        /**
         * A kernel.
         *
         * @param allShared whether its blocks may ask for as much shared memory as there is for one
         */
        Kernel kernel(String name, boolean allShared) throws BackendException;
    }

    public DenseStream(CudaStream stream, Kernels source) throws BackendException {
        this.stream = stream;
        kernels.put(DenseKernel.LINEAR, source.kernel("dense_linear", false));
        kernels.put(DenseKernel.FAST, source.kernel("dense_fast", true));
        kernels.put(DenseKernel.DOT, source.kernel("dense_dot", false));
        kernels.put(DenseKernel.CROSS, source.kernel("dense_cross", false));
        kernels.put(DenseKernel.CROSSES, source.kernel("dense_crosses", false));
        kernels.put(DenseKernel.EACH, source.kernel("dense_each", false));
    }

    @Override
    public void launch(DenseKernel kernel, LaunchConfig shape, long args) throws BackendException {
        stream.launch(kernels.get(kernel), shape, args);
    }
}
