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
     * @param subtasks how many there may be, this one included
     * @param devices that they are spread over, or 0 if those are all that there are
     * @return as {@link #open(long, int)}, which this is if their number makes no difference
     */
    default Backend open(long memoryLimitBytes, int subtaskIndex, int subtasks, int devices)
            throws BackendException {
        return open(memoryLimitBytes, subtaskIndex);
    }
}
