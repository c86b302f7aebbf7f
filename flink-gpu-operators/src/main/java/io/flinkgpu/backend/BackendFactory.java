package io.flinkgpu.backend;

import java.io.Serializable;

/** Opens a backend on the TaskManager. Travels in the job graph. */
@FunctionalInterface
public interface BackendFactory extends Serializable {

    /**
     * Opens a backend for one subtask.
     *
     * @param memoryLimitBytes the most bytes its columns may take
     * @param subtaskIndex picks the device where there are several
     * @return the backend; the caller closes it
     */
    Backend open(long memoryLimitBytes, int subtaskIndex) throws BackendException;

    /**
     * Opens a backend for one of several subtasks in this process.
     *
     * @param sharers how many subtasks may share a device, this one included
     * @return as {@link #open(long, int)}, which this is if their number makes no difference
     */
    default Backend open(long memoryLimitBytes, int subtaskIndex, int sharers)
            throws BackendException {
        return open(memoryLimitBytes, subtaskIndex);
    }
}
