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
        Kernel kernel(String name) throws BackendException;
    }

    public DenseStream(CudaStream stream, Kernels source) throws BackendException {
        this.stream = stream;
        kernels.put(DenseKernel.LINEAR, source.kernel("dense_linear"));
        kernels.put(DenseKernel.DOT, source.kernel("dense_dot"));
        kernels.put(DenseKernel.CROSS, source.kernel("dense_cross"));
        kernels.put(DenseKernel.EACH, source.kernel("dense_each"));
    }

    @Override
    public void launch(DenseKernel kernel, LaunchConfig shape, long args) throws BackendException {
        stream.launch(kernels.get(kernel), shape, args);
    }
}
