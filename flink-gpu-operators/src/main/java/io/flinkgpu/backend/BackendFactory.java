package io.flinkgpu.backend;

import org.apache.flink.annotation.Internal;

import java.io.Serializable;

/** Opens a backend on the TaskManager. Travels in the job graph. */
@FunctionalInterface
@Internal
public interface BackendFactory extends Serializable {

    /**
     * Opens a backend for one subtask.
     *
     * @return the backend; the caller closes it
     */
    Backend open(OpenRequest request) throws BackendException;
}
