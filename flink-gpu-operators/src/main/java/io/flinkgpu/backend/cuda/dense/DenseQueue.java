package io.flinkgpu.backend.cuda.dense;

import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.cuda.device.LaunchConfig;

import org.apache.flink.annotation.Internal;

/** Launches for a device, done in the order in which they are enqueued. */
@FunctionalInterface
@Internal
public interface DenseQueue {

    /**
     * Launches a kernel; nothing if there are no blocks.
     *
     * @param args host address of its parameter, which is copied by this call
     */
    void launch(DenseKernel kernel, LaunchConfig shape, long args) throws BackendException;
}
