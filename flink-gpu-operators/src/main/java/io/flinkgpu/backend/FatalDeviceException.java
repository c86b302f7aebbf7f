package io.flinkgpu.backend;

import org.apache.flink.annotation.Internal;

/**
 * The device, or the process's context on it, is lost: every later call fails too, in all tasks of this
 * process that use it. Operators and models throw it to Flink as an {@code InternalError}, which ends the
 * process; a new one gets a new context.
 */
@Internal
public final class FatalDeviceException extends BackendException {

    private static final long serialVersionUID = 1L;

    public FatalDeviceException(String message) {
        super(message);
    }
}
