package io.flinkgpu.operator;

import io.flinkgpu.backend.FatalDeviceException;

import org.apache.flink.annotation.Internal;

/**
 * Failures after which this process is of no use. Flink ends it, and starts another, for some errors if a
 * task throws them as they are; as causes of an exception they would restart the task in this process,
 * again and again.
 */
@Internal
public final class ProcessFailures {

    private ProcessFailures() {}

    /**
     * Throws an error as it is, and for a lost device one that Flink ends the process for; returns for
     * everything else.
     */
    public static void rethrow(Throwable failure) {
        if (failure instanceof Error error) {
            throw error;
        }
        if (failure instanceof FatalDeviceException) {
            throw (InternalError) new InternalError(failure.getMessage()).initCause(failure);
        }
    }
}
